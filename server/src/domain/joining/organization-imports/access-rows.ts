import * as imports from '@heddle/api/endpoints/organization-import.ts';
import { type AccessRow, row } from '../../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  row(imports.getImport, 'always', '+ppppp uuxu'),
  row(imports.startImport, 'of an organization in use', 'bppppp uuxu', () => ({ format: 'slack' })),
  row(imports.cancelImport, 'which there is not', '+ppppp uuxu'),
  row(imports.sendImportMails, 'without an import', 'bppppp uuxu'),
];
