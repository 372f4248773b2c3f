import Type from 'typebox';
import { dataExport } from '../objects/data-export.ts';

export const realmExportEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm_export'),
  exports: Type.Array(dataExport),
});
