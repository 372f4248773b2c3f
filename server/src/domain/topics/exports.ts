/** The tables of this folder in a data export. */
import { sql } from 'kysely';
import type { TableExport } from '../../extension/exports.ts';

export const topicsExports: readonly TableExport[] = [
  {
    table: 'user_topics',
    fields: ['channel_id', 'topic', 'user_id', 'policy', 'updated_at'],
    rows: ({ consents, hasChannel }) => sql`${consents('user_id')} AND ${hasChannel('channel_id')}`,
  },
];
