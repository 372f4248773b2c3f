import Type from 'typebox';

const common = {
  id: Type.Integer(),
  type: Type.Literal('update_message_flags'),
  /** The older name of `op`. */
  operation: Type.Union([Type.Literal('add'), Type.Literal('remove')]),
  flag: Type.String(),
  messages: Type.Array(Type.Integer()),
  all: Type.Boolean(),
};

/** The location of a message that became unread. A client can count the message without fetching it. */
const unreadDetails = Type.Union([
  Type.Object({
    type: Type.Literal('stream'),
    mentioned: Type.Optional(Type.Boolean()),
    stream_id: Type.Integer(),
    topic: Type.String(),
    unmuted_stream_msg: Type.Boolean(),
  }),
  Type.Object({
    type: Type.Literal('private'),
    mentioned: Type.Optional(Type.Boolean()),
    user_ids: Type.Array(Type.Integer()),
  }),
]);

export const updateMessageFlagsEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add') }),
  Type.Object({
    ...common,
    op: Type.Literal('remove'),
    message_details: Type.Optional(Type.Record(Type.String({ pattern: '^\\d+$' }), unreadDetails)),
  }),
]);
