import Type from 'typebox';
import { LONGEST_CONTENT, list, MOST_RECIPIENTS, text } from '../bounds.ts';
import { defineEndpoint, inPath, optional, required } from '../contract.ts';
import { scheduledMessage } from '../objects/scheduled-message.ts';
import { messageType } from './messages.ts';

const AREA = 'Scheduled messages';

const id = inPath(Type.Integer());
const to = Type.Union([Type.Integer(), list(Type.Integer(), MOST_RECIPIENTS)], {
  description: "A channel's id, or the ids of users",
});
const deliveryTime = Type.Integer({ description: 'In the future, within ten years; seconds since the epoch' });
const topicAliases = ['subject'] as const;

export const getScheduledMessages = defineEndpoint({
  operationId: 'get-scheduled-messages',
  method: 'GET',
  path: '/scheduled_messages',
  area: AREA,
  summary: "List the caller's scheduled messages",
  description: 'Those that are to be sent first come first. Those that could not be sent are among them.',
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
    'It is checked as if it were sent now, and again when it is sent. A user has at most 200, of 1 MB together with what they are rendered as.',
  authentication: 'required',
  parameters: {
    type: required(messageType),
    to: required(to),
    content: required(text({ maxLength: LONGEST_CONTENT })),
    topic: optional(text(), { aliases: topicAliases, description: 'Required for channel messages' }),
    scheduled_delivery_timestamp: required(deliveryTime),
    read_by_sender: optional(Type.Boolean(), { description: 'Left out, the client program decides' }),
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
    type: optional(messageType, { description: 'With it `to`, and for a channel `topic`, are required' }),
    to: optional(to),
    content: optional(text({ maxLength: LONGEST_CONTENT })),
    topic: optional(text(), { aliases: topicAliases, description: 'Ignored for direct messages' }),
    scheduled_delivery_timestamp: optional(deliveryTime, {
      description: 'Required where the message could not be sent',
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
  authentication: 'required',
  parameters: { scheduled_message_id: id },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});
