import Type from 'typebox';
import { quietHours } from '../objects/quiet-hours.ts';

/** Of Heddle alone, for clients with the capability `quiet_hours`. */
export const quietHoursState = { quiet_hours: Type.Optional(quietHours) };
