import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath } from '../contract.ts';
import { dataExport, ExportType, exportType } from '../objects/data-export.ts';

const area = 'Organization';
const id = inPath(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));

export const getExports = defineEndpoint({
  operationId: 'get-realm-exports',
  method: 'GET',
  path: '/export/realm',
  area,
  summary: 'List the data exports of the organization',
  description: 'For administrators. The latest 500, oldest first, including failed and deleted ones.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ exports: Type.Array(dataExport) }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const createExport = defineEndpoint({
  operationId: 'export-realm',
  method: 'POST',
  path: '/export/realm',
  area,
  summary: 'Request a data export of the organization',
  description:
    'For administrators. The server makes an archive in the background, and sends `realm_export` events. It deletes the archive after 30 days. At most five in a week.',
  authentication: 'required',
  parameters: { export_type: defaulted(exportType, ExportType.public) },
  response: Type.Object({ id: Type.Integer() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const deleteExport = defineEndpoint({
  operationId: 'delete-realm-export',
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  area,
  summary: 'Delete the archive of a data export',
  description: 'For administrators.',
  authentication: 'required',
  parameters: { export_id: id },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const downloadExport = defineEndpoint({
  operationId: 'download-realm-export',
  method: 'GET',
  path: '/user_exports/{export_id}/{filename}',
  outsideApi: true,
  area,
  summary: 'Download the archive of a data export',
  description: 'For administrators. `docs/export-format.md` describes the archive. The file name has no meaning.',
  authentication: 'required',
  session: true,
  parameters: { export_id: id, filename: inPath(text({ maxLength: 200 })) },
  response: { kind: 'file', contentTypes: ['application/zip'] },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const getExportConsents = defineEndpoint({
  operationId: 'get-realm-export-consents',
  method: 'GET',
  path: '/export/realm/consents',
  area,
  summary: 'List who allows the export of private data',
  description: 'For administrators. The setting `allow_private_data_export` of all active users except bots.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({
    export_consents: Type.Array(Type.Object({ user_id: Type.Integer(), consented: Type.Boolean() })),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
