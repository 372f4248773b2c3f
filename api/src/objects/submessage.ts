import Type from 'typebox';

/** Something that was attached to a message: a widget, or what somebody does with it. */
export const submessage = Type.Object({
  id: Type.Integer(),
  message_id: Type.Integer(),
  sender_id: Type.Integer(),
  msg_type: Type.String(),
  content: Type.String({ description: 'JSON' }),
});
