import Type from 'typebox';
import { list, MAX_RECIPIENTS, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { messageType } from './messages.ts';

const op = required(Type.Union([Type.Literal('start'), Type.Literal('stop')]));

export const setTyping = defineEndpoint({
  operationId: 'set-typing-status',
  method: 'POST',
  path: '/typing',
  area: 'Typing',
  summary: 'Report that the caller started or stopped typing',
  authentication: 'required',
  parameters: {
    type: defaulted(messageType, 'direct'),
    op,
    to: optional(
      Type.Union([list(Type.Integer(), MAX_RECIPIENTS), Type.Integer()], {
        description: 'User IDs for direct messages',
      }),
    ),
    stream_id: optional(Type.Integer({ description: 'For channel messages' })),
    topic: optional(text({ description: 'For channel messages' })),
  },
  response: Type.Object({}),
  errors: [],
});

export const setTypingInEdit = defineEndpoint({
  operationId: 'set-typing-status-for-message-edit',
  method: 'POST',
  path: '/messages/{message_id}/typing',
  area: 'Typing',
  summary: 'Report that the caller started or stopped editing a message',
  authentication: 'required',
  parameters: { message_id: inPath(Type.Integer()), op },
  response: Type.Object({}),
  errors: [],
});
