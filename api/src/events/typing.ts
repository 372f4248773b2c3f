import Type from 'typebox';

const person = Type.Object({ user_id: Type.Integer(), email: Type.String() });
const op = Type.Union([Type.Literal('start'), Type.Literal('stop')]);

const common = {
  id: Type.Integer(),
  type: Type.Literal('typing'),
  op,
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

export const typingEditMessageEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('typing_edit_message'),
  op,
  sender_id: Type.Integer(),
  message_id: Type.Integer(),
  recipient: Type.Union([
    Type.Object({ type: Type.Literal('direct'), user_ids: Type.Array(Type.Integer()) }),
    Type.Object({ type: Type.Literal('channel'), channel_id: Type.Integer(), topic: Type.String() }),
  ]),
});
