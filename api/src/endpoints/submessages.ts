import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, required } from '../contract.ts';

export const addSubmessage = defineEndpoint({
  operationId: 'add-submessage',
  method: 'POST',
  path: '/submessage',
  area: 'Messages',
  summary: 'Attach something to a message: a vote, an option, a task',
  description:
    "The message's sender is the first who may; then everybody who may read it. A message has at most 5,000, of 1 MB together, and 500 of one person.",
  authentication: 'required',
  parameters: {
    message_id: required(Type.Integer()),
    msg_type: required(text({ maxLength: 100, description: 'widget' })),
    content: required(text({ maxLength: 10_000, description: 'JSON' })),
  },
  response: Type.Object({}),
  errors: [],
});
