import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, optional } from '../contract.ts';
import { userStatus } from '../objects/user-status.ts';

const area = 'Users';
const user_id = inPath(Type.Integer());
const status = {
  status_text: optional(text({ description: 'At most 60 characters. Empty means none' })),
  emoji_name: optional(text({ maxLength: 200, description: 'Empty means none' })),
  emoji_code: optional(text({ maxLength: 200 })),
  reaction_type: optional(text({ maxLength: 50 })),
};

export const updateOwnStatus = defineEndpoint({
  operationId: 'update-status',
  method: 'POST',
  path: '/users/me/status',
  area,
  summary: 'Set the status of the caller',
  authentication: 'required',
  parameters: {
    ...status,
    away: optional(Type.Boolean(), {
      deprecated: true,
      description: 'Hides presence. The same as the setting `presence_enabled`',
    }),
  },
  response: Type.Object({}),
  errors: [],
});

export const updateStatusOfUser = defineEndpoint({
  operationId: 'update-status-for-user',
  method: 'POST',
  path: '/users/{user_id}/status',
  area,
  summary: 'Set the status of another user',
  description: 'Only for administrators.',
  authentication: 'required',
  parameters: { user_id, ...status },
  response: Type.Object({}),
  errors: [],
});

export const getUserStatus = defineEndpoint({
  operationId: 'get-user-status',
  method: 'GET',
  path: '/users/{user_id}/status',
  area,
  summary: 'Get the status of a user',
  authentication: 'required',
  parameters: { user_id },
  response: Type.Object({ status: userStatus }),
  errors: [],
});
