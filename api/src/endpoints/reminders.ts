import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, optional, required } from '../contract.ts';
import { reminder } from '../objects/scheduled-message.ts';

const AREA = 'Reminders';

export const getReminders = defineEndpoint({
  operationId: 'get-reminders',
  method: 'GET',
  path: '/reminders',
  area: AREA,
  summary: 'List the reminders of the caller',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ reminders: Type.Array(reminder) }),
  errors: [],
});

export const createReminder = defineEndpoint({
  operationId: 'create-message-reminder',
  method: 'POST',
  path: '/reminders',
  area: AREA,
  summary: 'Create a reminder of a message',
  description:
    'The notification bot sends a direct message that quotes the message. A user has at most 200 reminders with a total of 1 MB, including their HTML.',
  authentication: 'required',
  parameters: {
    message_id: required(Type.Integer()),
    scheduled_delivery_timestamp: required(
      Type.Integer({ description: 'Seconds since the epoch. In the future and within ten years' }),
    ),
    note: optional(text({ description: 'At most 1,000 characters' })),
  },
  response: Type.Object({ reminder_id: Type.Integer() }),
  errors: [],
});

export const deleteReminder = defineEndpoint({
  operationId: 'delete-reminder',
  method: 'DELETE',
  path: '/reminders/{reminder_id}',
  area: AREA,
  summary: 'Delete a reminder',
  authentication: 'required',
  parameters: { reminder_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});
