import Type from 'typebox';

export const realmExportConsentEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm_export_consent'),
  user_id: Type.Integer(),
  consented: Type.Boolean(),
});
