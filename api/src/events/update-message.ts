import Type from 'typebox';
import { topicLink } from '../objects/linkifier.ts';
import { messageFlag } from '../objects/message.ts';

/**
 * A message's text was edited, or messages were moved, or both. `stream_id` says where messages of a channel were; where they are now,
 * `new_stream_id` and `subject`, where that is elsewhere.
 */
export const updateMessageEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('update_message'),
  user_id: Type.Union([Type.Integer(), Type.Null()]),
  edit_timestamp: Type.Integer({ description: 'Seconds since the epoch' }),
  message_id: Type.Integer(),
  message_ids: Type.Array(Type.Integer()),
  /** What they are to this user now. */
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
  orig_subject: Type.Optional(Type.String({ description: 'The topic where the message that was named was' })),
  subject: Type.Optional(Type.String()),
  topic_links: Type.Optional(Type.Array(topicLink)),
  new_stream_id: Type.Optional(Type.Integer()),
});
