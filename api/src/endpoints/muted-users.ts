import Type from 'typebox';
import { defineEndpoint, inPath } from '../contract.ts';

const common = {
  path: '/users/me/muted_users/{muted_user_id}',
  area: 'Users',
  authentication: 'required',
  parameters: { muted_user_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: [],
} as const;

export const muteUser = defineEndpoint({
  ...common,
  operationId: 'mute-user',
  method: 'POST',
  summary: 'Mute a user',
  description: 'The server marks old and new messages of muted users as read. A user can mute at most 1,000 users.',
});

export const unmuteUser = defineEndpoint({
  ...common,
  operationId: 'unmute-user',
  method: 'DELETE',
  summary: 'Unmute a user',
});
