/** The tables of this folder in a data export. */
import { notExported, ofConsenting, type TableExport } from '../../extension/exports.ts';

export const scheduledMessagesExports: readonly TableExport[] = [
  {
    table: 'scheduled_messages',
    fields: [
      'user_id',
      'id',
      'channel_id',
      'participants',
      'topic',
      'content',
      'rendered_content',
      'client',
      'read_by_sender',
      'deliver_at',
      'failed',
      'revision',
    ],
    rows: ofConsenting,
  },
  ...notExported('remembered for minutes, for repeated requests', 'delivered_scheduled_messages'),
];
