import { developmentFetchApiKey, fetchApiKey } from '@heddle/api/endpoints/authentication.ts';
import { authenticationFailed, badRequest, deactivatedUser } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { apiKeyFor } from './api-keys.ts';
import { isPassword } from './passwords.ts';
import { passwordOf } from './queries.ts';

export function authenticationRoutes(rooms: Rooms): readonly HeddleRoute[] {
  return [
    route(
      fetchApiKey,
      { limit: 'login', account: ({ username }) => username },
      async ({ parameters: { username, password }, organization }) => {
        const { userId, hash } = await passwordOf(rooms, organization.id, username);
        const isRight = await isPassword(password, hash);
        const user = userId === null ? undefined : organization.directory.user(userId);
        if (!isRight || user === undefined || user.isBot) throw authenticationFailed();
        return credentialsOf(rooms, organization, user);
      },
    ),

    route(
      developmentFetchApiKey,
      { limit: 'login', account: ({ username }) => username },
      ({ parameters: { username }, organization }) => {
        if (!rooms.config.devLogin) throw badRequest('DevAuthBackend not enabled.');
        const user = organization.directory.userByEmail(username);
        if (user === undefined || user.isBot) throw authenticationFailed();
        return credentialsOf(rooms, organization, user);
      },
    ),
  ];
}

function credentialsOf({ secret }: Pick<Rooms, 'secret'>, organization: Organization, user: UserRecord) {
  // Said only to those who have shown that the account is theirs.
  if (!user.isActive) throw deactivatedUser();
  const key = apiKeyFor(secret, organization.id, user.id, user.apiKeyVersion);
  return { api_key: key, email: user.deliveryEmail, user_id: user.id };
}
