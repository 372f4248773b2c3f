import Type from 'typebox';
import { reminder } from '../objects/scheduled-message.ts';

const common = { id: Type.Integer(), type: Type.Literal('reminders') };

export const remindersEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add'), reminders: Type.Array(reminder) }),
  Type.Object({ ...common, op: Type.Literal('remove'), reminder_id: Type.Integer() }),
]);
