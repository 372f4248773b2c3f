import Type from 'typebox';
import { scheduledMessage } from '../objects/scheduled-message.ts';

const common = { id: Type.Integer(), type: Type.Literal('scheduled_messages') };

export const scheduledMessagesEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add'), scheduled_messages: Type.Array(scheduledMessage) }),
  Type.Object({ ...common, op: Type.Literal('update'), scheduled_message: scheduledMessage }),
  Type.Object({ ...common, op: Type.Literal('remove'), scheduled_message_id: Type.Integer() }),
]);
