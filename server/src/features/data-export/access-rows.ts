import * as exports from '@heddle/api/endpoints/exports.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  row(exports.getExports, 'always', '++pppp uuxu'),
  row(exports.createExport, 'a public one', '++pppp uuxu', () => ({ export_type: 1 })),
  row(exports.deleteExport, 'which there is not', 'bbpppp uuxu', () => ({ export_id: 1_000_000 })),
  row(exports.downloadExport, 'which there is not', 'ffpppp uuxu', () => ({ export_id: 1_000_000, filename: 'a.zip' })),
];
