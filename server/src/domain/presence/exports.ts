/** The tables of this folder in a data export. */
import { notExported, ofConsenting, type TableExport } from '../../extension/exports.ts';

export const presenceExports: readonly TableExport[] = [
  {
    table: 'presences',
    fields: ['user_id', 'update_id', 'connected_at', 'active_at', 'seen_at'],
    rows: ofConsenting,
  },
  ...notExported('a counter of this server', 'presence_heads'),
];
