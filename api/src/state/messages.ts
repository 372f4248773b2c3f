import Type from 'typebox';

/** The newest 50,000 unread messages of the caller, by conversation. */
const unreadMessages = Type.Object({
  count: Type.Integer(),
  pms: Type.Array(
    Type.Object({
      other_user_id: Type.Integer(),
      sender_id: Type.Integer(),
      unread_message_ids: Type.Array(Type.Integer()),
    }),
  ),
  streams: Type.Array(
    Type.Object({
      stream_id: Type.Integer(),
      topic: Type.String(),
      unread_message_ids: Type.Array(Type.Integer()),
    }),
  ),
  huddles: Type.Array(Type.Object({ user_ids_string: Type.String(), unread_message_ids: Type.Array(Type.Integer()) })),
  mentions: Type.Array(Type.Integer()),
  old_unreads_missing: Type.Boolean(),
});

export const messagesState = {
  max_message_id: Type.Optional(Type.Integer()),
  unread_msgs: Type.Optional(unreadMessages),
  starred_messages: Type.Optional(Type.Array(Type.Integer())),
  recent_private_conversations: Type.Optional(
    Type.Array(Type.Object({ max_message_id: Type.Integer(), user_ids: Type.Array(Type.Integer()) })),
  ),
};

export const typingState = {
  server_typing_started_expiry_period_milliseconds: Type.Optional(Type.Integer()),
  server_typing_stopped_wait_period_milliseconds: Type.Optional(Type.Integer()),
  server_typing_started_wait_period_milliseconds: Type.Optional(Type.Integer()),
};
