import Type from 'typebox';
import { topicLink } from '../objects/linkifier.ts';
import { messageFlag } from '../objects/message.ts';

/**
 * The content of a message was edited, messages were moved, or both. `stream_id` is the previous channel. `new_stream_id` and `subject` are
 * present if the messages have a new channel or topic.
 */
export const updateMessageEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('update_message'),
  user_id: Type.Union([Type.Integer(), Type.Null()]),
  edit_timestamp: Type.Integer({ description: 'Seconds since the epoch' }),
  message_id: Type.Integer(),
  message_ids: Type.Array(Type.Integer()),
  /** The current flags for this user. */
  flags: Type.Array(messageFlag),
  rendering_only: Type.Boolean(),
  stream_id: Type.Optional(Type.Integer()),
  stream_name: Type.Optional(Type.String()),
  orig_content: Type.Optional(Type.String()),
  orig_rendered_content: Type.Optional(Type.String()),
  content: Type.Optional(Type.String()),
  rendered_content: Type.Optional(Type.String()),
  is_me_message: Type.Optional(Type.Boolean()),
  propagate_mode: Type.Optional(
    Type.Union([Type.Literal('change_one'), Type.Literal('change_later'), Type.Literal('change_all')]),
  ),
  orig_subject: Type.Optional(Type.String({ description: 'The previous topic of the message in the request' })),
  subject: Type.Optional(Type.String()),
  topic_links: Type.Optional(Type.Array(topicLink)),
  new_stream_id: Type.Optional(Type.Integer()),
});
