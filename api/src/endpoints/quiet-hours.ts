import Type from 'typebox';
import { defineEndpoint, inPath, optional } from '../contract.ts';
import { quietHours, quietSchedule } from '../objects/quiet-hours.ts';

const AREA = 'Users';

export const updateQuietHours = defineEndpoint({
  operationId: 'update-quiet-hours',
  method: 'PATCH',
  path: '/users/me/quiet_hours',
  area: AREA,
  summary: 'Pause the own notifications, or change when they pause',
  description:
    'Of Heddle alone. During quiet hours there are no notifications on phones, and mails about missed messages wait for their end. Clients also show no notifications of their own.',
  authentication: 'required',
  parameters: {
    paused_until: optional(Type.Union([Type.Integer(), Type.Null()]), {
      description:
        'Seconds since the epoch, at most a year ahead: pauses notifications until then. Null: notifies again at once, also during a window of the schedule, until the next one',
    }),
    schedule: optional(quietSchedule),
    except_direct_messages: optional(Type.Boolean()),
  },
  response: Type.Object({ quiet_hours: quietHours }),
  errors: [],
});

export const getQuietHoursOfUser = defineEndpoint({
  operationId: 'get-quiet-hours-of-user',
  method: 'GET',
  path: '/users/{user_id}/quiet_hours',
  area: AREA,
  summary: 'Find out whether the notifications of a user are paused',
  description:
    'Of Heddle alone. It says nothing of the schedule but whether one of its windows is now. Bots are refused.',
  authentication: 'required',
  parameters: { user_id: inPath(Type.Integer()) },
  response: Type.Object({
    paused: Type.Boolean(),
    paused_until: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Seconds since the epoch. Null if they are not paused, or by the schedule alone',
    }),
  }),
  errors: [],
});
