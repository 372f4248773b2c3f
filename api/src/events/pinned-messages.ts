import Type from 'typebox';

/** The pinned messages of a channel, or of some of its topics, have changed. Clients fetch them again. */
export const pinnedMessagesEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('pinned_messages'),
  stream_id: Type.Integer(),
});
