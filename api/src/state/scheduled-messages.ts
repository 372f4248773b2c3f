import Type from 'typebox';
import { reminder, scheduledMessage } from '../objects/scheduled-message.ts';

export const scheduledMessagesState = {
  scheduled_messages: Type.Optional(Type.Array(scheduledMessage)),
  reminders: Type.Optional(Type.Array(reminder)),
};
