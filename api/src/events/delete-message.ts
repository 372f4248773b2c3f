import Type from 'typebox';

const common = { id: Type.Integer(), type: Type.Literal('delete_message') };
const inChannel = { message_type: Type.Literal('stream'), stream_id: Type.Integer(), topic: Type.String() };
const direct = { message_type: Type.Literal('private') };
/** For clients with the capability `bulk_message_deletion`. */
const many = { message_ids: Type.Array(Type.Integer()) };
/** For other clients: one event per message. */
const one = { message_id: Type.Integer() };

export const deleteMessageEvent = Type.Union([
  Type.Object({ ...common, ...many, ...inChannel }),
  Type.Object({ ...common, ...one, ...inChannel }),
  Type.Object({ ...common, ...many, ...direct }),
  Type.Object({ ...common, ...one, ...direct }),
]);
