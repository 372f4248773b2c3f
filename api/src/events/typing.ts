import Type from 'typebox';

const person = Type.Object({ user_id: Type.Integer(), email: Type.String() });
const common = {
  id: Type.Integer(),
  type: Type.Literal('typing'),
  op: Type.Union([Type.Literal('start'), Type.Literal('stop')]),
  sender: person,
};

export const typingEvent = Type.Union([
  Type.Object({ ...common, message_type: Type.Literal('direct'), recipients: Type.Array(person) }),
  Type.Object({
    ...common,
    message_type: Type.Literal('stream'),
    stream_id: Type.Integer(),
    topic: Type.String(),
  }),
]);
