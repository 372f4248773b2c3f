import Type from 'typebox';
import { messageFlag } from '../objects/message.ts';

/** A message's text was edited; the fields of channels are there for messages of channels. */
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
});
