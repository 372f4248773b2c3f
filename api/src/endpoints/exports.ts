import Type from 'typebox';
import { defineEndpoint } from '../contract.ts';

export const getExportConsents = defineEndpoint({
  operationId: 'get-realm-export-consents',
  method: 'GET',
  path: '/export/realm/consents',
  area: 'Organization',
  summary: 'List who allows the export of private data',
  description: 'For administrators. The setting `allow_private_data_export` of all active users except bots.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({
    export_consents: Type.Array(Type.Object({ user_id: Type.Integer(), consented: Type.Boolean() })),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
