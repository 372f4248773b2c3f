import Type from 'typebox';

const common = {
  user_id: Type.Union([Type.Integer(), Type.Null()]),
  timestamp: Type.Integer({ description: 'Seconds since the epoch' }),
  prev_content: Type.Optional(Type.String()),
  prev_rendered_content: Type.Optional(Type.String()),
  prev_stream: Type.Optional(Type.Integer()),
  stream: Type.Optional(Type.Integer()),
  prev_topic: Type.Optional(Type.String()),
};

/** One change of a message with the previous values (interface document, "Edit history entry fields"). */
export const editHistoryEntry = Type.Object({ ...common, topic: Type.Optional(Type.String()) });

/** A message after one of its changes. The first entry is the original message (public reference: "Get a message's edit history"). */
export const messageSnapshot = Type.Object({
  ...common,
  topic: Type.String(),
  content: Type.String(),
  rendered_content: Type.String(),
  content_html_diff: Type.Optional(
    Type.String({ description: 'The differences. Classes mark inserted and deleted text' }),
  ),
});
