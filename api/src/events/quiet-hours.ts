import Type from 'typebox';
import { quietHours } from '../objects/quiet-hours.ts';

/** The quiet hours of the user have changed. */
export const quietHoursEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('quiet_hours'),
  quiet_hours: quietHours,
});
