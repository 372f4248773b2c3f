import Type from 'typebox';

/** An attachment of a message: a widget, or a change of its state. */
export const submessage = Type.Object({
  id: Type.Integer(),
  message_id: Type.Integer(),
  sender_id: Type.Integer(),
  msg_type: Type.String(),
  content: Type.String({ description: 'JSON' }),
});
