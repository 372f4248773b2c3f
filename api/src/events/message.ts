import Type from 'typebox';
import { announcedMessage, messageFlag } from '../objects/message.ts';

export const messageEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('message'),
  message: announcedMessage,
  flags: Type.Array(messageFlag),
  local_message_id: Type.Optional(Type.String()),
});
