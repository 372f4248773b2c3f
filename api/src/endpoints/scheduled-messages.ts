import Type from 'typebox';
import { list, MAX_CONTENT_LENGTH, MAX_RECIPIENTS, text } from '../bounds.ts';
import { defineEndpoint, inPath, optional, required } from '../contract.ts';
import { scheduledMessage } from '../objects/scheduled-message.ts';
import { messageType } from './messages.ts';

const AREA = 'Scheduled messages';

const id = inPath(Type.Integer());
const to = Type.Union([Type.Integer(), list(Type.Integer(), MAX_RECIPIENTS)], {
  description: 'The ID of a channel, or the IDs of users',
});
const deliveryTime = Type.Integer({ description: 'Seconds since the epoch. In the future and within ten years' });
const topicAliases = ['subject'] as const;

export const getScheduledMessages = defineEndpoint({
  operationId: 'get-scheduled-messages',
  method: 'GET',
  path: '/scheduled_messages',
  area: AREA,
  summary: 'List the scheduled messages of the caller',
  description: 'Ordered by delivery time. Includes failed messages.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ scheduled_messages: Type.Array(scheduledMessage) }),
  errors: [],
});

export const createScheduledMessage = defineEndpoint({
  operationId: 'create-scheduled-message',
  method: 'POST',
  path: '/scheduled_messages',
  area: AREA,
  summary: 'Schedule a message',
  description:
    'The server applies the checks of sending now and at delivery. A user has at most 200 scheduled messages with a total of 1 MB, including their HTML.',
  authentication: 'required',
  parameters: {
    type: required(messageType, { saysWhy: true }),
    to: required(to),
    content: required(text({ maxLength: MAX_CONTENT_LENGTH })),
    topic: optional(text(), { aliases: topicAliases, description: 'Required for channel messages' }),
    scheduled_delivery_timestamp: required(deliveryTime),
    read_by_sender: optional(Type.Boolean(), { description: 'The default depends on the client program' }),
  },
  response: Type.Object({ scheduled_message_id: Type.Integer() }),
  errors: [
    'REQUEST_VARIABLE_MISSING',
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
});

export const updateScheduledMessage = defineEndpoint({
  operationId: 'update-scheduled-message',
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  area: AREA,
  summary: 'Edit a scheduled message',
  authentication: 'required',
  parameters: {
    scheduled_message_id: id,
    type: optional(messageType, { description: 'Requires `to`, and for a channel also `topic`', saysWhy: true }),
    to: optional(to),
    content: optional(text({ maxLength: MAX_CONTENT_LENGTH })),
    topic: optional(text(), { aliases: topicAliases, description: 'Ignored for direct messages' }),
    scheduled_delivery_timestamp: optional(deliveryTime, {
      description: 'Required if the message failed',
    }),
  },
  response: Type.Object({}),
  errors: [
    'RESOURCE_NOT_FOUND',
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
});

export const deleteScheduledMessage = defineEndpoint({
  operationId: 'delete-scheduled-message',
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  area: AREA,
  summary: 'Delete a scheduled message',
  description: 'Also succeeds once within a day after delivery. It does not delete the delivered message.',
  authentication: 'required',
  parameters: { scheduled_message_id: id },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});
