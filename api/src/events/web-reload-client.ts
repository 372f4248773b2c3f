import Type from 'typebox';

/** Clients whose code came from the server are to fetch it anew, each after a while of its own unless it is to be `immediate`. */
export const webReloadClientEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('web_reload_client'),
  immediate: Type.Boolean(),
});
