import Type from 'typebox';
import { defineEndpoint } from '../contract.ts';

export const getExportConsents = defineEndpoint({
  operationId: 'get-realm-export-consents',
  method: 'GET',
  path: '/export/realm/consents',
  area: 'Organization',
  summary: 'Who lets their private data be exported',
  description: 'For administrators: the setting `allow_private_data_export` of everybody who is there and no bot.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({
    export_consents: Type.Array(Type.Object({ user_id: Type.Integer(), consented: Type.Boolean() })),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
