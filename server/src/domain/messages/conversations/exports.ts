/** The tables of this folder in a data export. */
import { sql } from 'kysely';
import type { TableExport } from '../../../extension/exports.ts';

export const conversationsExports: readonly TableExport[] = [
  {
    table: 'direct_conversations',
    fields: ['id', 'recipient_id', 'participants', 'fingerprint'],
    rows: ({ hasConversation }) => hasConversation('id'),
  },
  {
    table: 'direct_participants',
    fields: ['user_id', 'conversation_id', 'read_through'],
    rows: ({ consents, hasConversation }) => sql`${consents('user_id')} AND ${hasConversation('conversation_id')}`,
  },
];
