import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { legacyPresences, modernPresences, presenceOfUser } from '../objects/presence.ts';

const area = 'Presence';
const serverTimestamp = Type.Number({ description: 'When it was true; seconds since the epoch' });

export const updatePresence = defineEndpoint({
  operationId: 'update-presence',
  method: 'POST',
  path: '/users/me/presence',
  area,
  summary: 'Tell that the caller is there, and hear who else is',
  authentication: 'required',
  parameters: {
    status: required(text({ description: 'active or idle' })),
    last_update_id: optional(
      Type.Integer({
        description:
          'Asks only for what changed since the answer that had this as `presence_last_update_id`; -1: for everything',
      }),
    ),
    history_limit_days: optional(
      Type.Integer({
        minimum: 0,
        description: 'How old what is told may be; left out, 14. Not where changes are asked for',
      }),
    ),
    new_user_input: defaulted(Type.Boolean(), false, {
      description: 'The user has done something since the last report',
    }),
    ping_only: defaulted(Type.Boolean(), false, { description: 'Only tells; the answer is empty' }),
    slim_presence: defaulted(Type.Boolean(), false, {
      description: 'By user ids, in the modern form; so it is with `last_update_id` anyway',
    }),
  },
  response: Type.Object({
    presences: Type.Optional(Type.Union([modernPresences, legacyPresences])),
    server_timestamp: Type.Optional(serverTimestamp),
    presence_last_update_id: Type.Optional(Type.Integer()),
  }),
  errors: [],
});

export const getUserPresence = defineEndpoint({
  operationId: 'get-user-presence',
  method: 'GET',
  path: '/users/{user_id_or_email}/presence',
  area,
  summary: 'Whether somebody is there',
  authentication: 'required',
  parameters: { user_id_or_email: inPath(text({ maxLength: 1000 })) },
  response: Type.Object({ presence: presenceOfUser }),
  errors: [],
});

export const getPresences = defineEndpoint({
  operationId: 'get-presence',
  method: 'GET',
  path: '/realm/presence',
  area,
  summary: 'Who has been there in the last two weeks',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ presences: legacyPresences, server_timestamp: serverTimestamp }),
  errors: [],
});
