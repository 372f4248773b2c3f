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
  description:
    'What they have sent counts as read, and so does what they send from now on. A caller has at most 1,000 muted.',
});

export const unmuteUser = defineEndpoint({
  ...common,
  operationId: 'unmute-user',
  method: 'DELETE',
  summary: 'Unmute a user',
});
