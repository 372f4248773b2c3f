import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, required } from '../contract.ts';

export const addSubmessage = defineEndpoint({
  operationId: 'add-submessage',
  method: 'POST',
  path: '/submessage',
  area: 'Messages',
  summary: 'Attach a submessage to a message: a vote, an option or a task',
  description:
    'Only the sender can attach the first submessage, then every user with access to the message. A message has at most 5,000 submessages with a total of 1 MB, and at most 500 per user.',
  authentication: 'required',
  parameters: {
    message_id: required(Type.Integer()),
    msg_type: required(text({ maxLength: 100, description: 'widget' })),
    content: required(text({ maxLength: 10_000, description: 'JSON' })),
  },
  response: Type.Object({}),
  errors: [],
});
