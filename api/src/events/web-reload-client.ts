import Type from 'typebox';

/** Asks web clients to reload their code. Each client waits for a random time, unless `immediate` is true. */
export const webReloadClientEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('web_reload_client'),
  immediate: Type.Boolean(),
});
