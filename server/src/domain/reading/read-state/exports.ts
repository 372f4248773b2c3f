/** The tables of this folder in a data export. */
import { sql } from 'kysely';
import type { TableExport } from '../../../extension/exports.ts';

export const readStateExports: readonly TableExport[] = [
  {
    table: 'message_flags',
    fields: ['user_id', 'message_id', 'flags'],
    rows: ({ consents, hasMessage }) => sql`${consents('user_id')} AND ${hasMessage('message_id')}`,
  },
];
