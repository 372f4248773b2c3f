import * as endpoints from '@heddle/api/endpoints/users.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

export const userAttempts: Attempts = ({ owner, member }) => {
  const users = [owner.userId, member.userId];
  const harmless = ['client_gravatar', 'include_custom_profile_fields'] as const;
  return [
    attemptsOn(endpoints.getUsers, { contained: [{}, { user_ids: users }], harmless }),
    attemptsOn(endpoints.getOwnUser, { contained: [{}] }),
    attemptsOn(endpoints.getUser, { refused: users.map((user_id) => ({ user_id })), harmless }),
    attemptsOn(endpoints.getUserByEmail, {
      refused: [owner.email, member.email, `user${owner.userId}@localhost`].map((email) => ({ email })),
      harmless,
    }),
  ];
};
