/** The tables of this folder in a data export. */
import { sql } from 'kysely';
import { notExported, ofMessages, type TableExport } from '../../extension/exports.ts';

export const uploadsExports: readonly TableExport[] = [
  {
    table: 'attachments',
    fields: ['id', 'owner_id', 'path_id', 'name', 'content_type', 'size', 'picture', 'created_at', 'unlinked_since'],
    withheld: { storage_key: 'names the file in the storage of this server' },
    values: { picture: "CASE WHEN jsonb_typeof(t.picture) = 'object' THEN t.picture - 'thumbnails' END" },
    files: { folder: 'uploads', name: 'id', key: 'storage_key', size: 'size' },
    rows: ({ consents, hasMessage }) => sql`(${consents('owner_id')} OR EXISTS (
    SELECT FROM attachment_messages link
     WHERE link.organization_id = t.organization_id AND link.attachment_id = t.id AND ${hasMessage('message_id', 'link')}))`,
  },
  {
    table: 'attachment_messages',
    fields: ['attachment_id', 'message_id'],
    rows: ofMessages,
  },
  ...notExported('follows from the texts of scheduled messages', 'attachment_scheduled_messages'),
  ...notExported('the sum of all sizes', 'upload_space'),
];
