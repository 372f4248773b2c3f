import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { legacyPresences, modernPresences, presenceOfUser } from '../objects/presence.ts';

const area = 'Presence';
const serverTimestamp = Type.Number({ description: 'The time of the presence data in seconds since the epoch' });

export const updatePresence = defineEndpoint({
  operationId: 'update-presence',
  method: 'POST',
  path: '/users/me/presence',
  area,
  summary: 'Report the presence of the caller, and get the presence of other users',
  authentication: 'required',
  parameters: {
    status: required(text({ description: 'active or idle' })),
    last_update_id: optional(
      Type.Integer({
        description:
          'Requests only changes since the response with this `presence_last_update_id`. -1 requests all data',
      }),
    ),
    history_limit_days: optional(
      Type.Integer({
        minimum: 0,
        description: 'The maximum age of presence data in days. The default is 14. Ignored with `last_update_id`',
      }),
    ),
    new_user_input: defaulted(Type.Boolean(), false, {
      description: 'Whether the user was active since the last report',
    }),
    ping_only: defaulted(Type.Boolean(), false, {
      description: 'Only reports. The response then contains no presence data',
    }),
    slim_presence: defaulted(Type.Boolean(), false, {
      description: 'Selects the newer format by user ID. `last_update_id` selects it too',
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
  summary: 'Get the presence of a user',
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
  summary: 'Get the presence of all users in the last two weeks',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ presences: legacyPresences, server_timestamp: serverTimestamp }),
  errors: [],
});
