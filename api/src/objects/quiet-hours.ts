import Type from 'typebox';
import { list } from '../bounds.ts';

/** Maximum number of windows in the schedule of a user. */
export const MAX_QUIET_WINDOWS = 7;

const minute = (description: string) => Type.Integer({ minimum: 0, maximum: 1439, description });

/** A part of the week, in the time zone of the user. */
export const quietWindow = Type.Object({
  days: list(Type.Integer({ minimum: 1, maximum: 7 }), 7, {
    minItems: 1,
    description: 'The days on which it begins: 1 is Monday, 7 is Sunday',
  }),
  from: minute('Minutes after midnight'),
  to: minute('Minutes after midnight. If it is not after `from`, the window ends on the next day'),
});

export const quietSchedule = list(quietWindow, MAX_QUIET_WINDOWS, { description: 'When the user is not notified' });

const second = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

/** `quiet-time.ts` says what they mean. */
export const quietHours = Type.Object({
  paused_until: second('Seconds since the epoch: the user is not notified until then. It can have passed'),
  resumed_until: second(
    'Seconds since the epoch: the schedule has no effect until then, because the user ended it early',
  ),
  schedule: quietSchedule,
  except_direct_messages: Type.Boolean({ description: 'Whether direct messages notify all the same' }),
});
