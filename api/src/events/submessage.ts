import Type from 'typebox';

export const submessageEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('submessage'),
  msg_type: Type.String(),
  message_id: Type.Integer(),
  submessage_id: Type.Integer(),
  sender_id: Type.Integer(),
  content: Type.String(),
});
