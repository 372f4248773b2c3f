import {
  developmentFetchApiKey,
  fetchApiKey,
  jwtFetchApiKey,
  regenerateApiKey,
} from '@heddle/api/endpoints/authentication.ts';
import { authenticationFailed, badRequest, deactivatedUser } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type LoginOrigin, noticeLogin } from '../../domain/account-security/login-notice.ts';
import { apiKeyFor } from '../../domain/credentials/api-keys.ts';
import { renewOwnKey } from '../../domain/credentials/own-key.ts';
import { presentUser } from '../../domain/users/present.ts';
import { type HeddleRoute, type Rooms, route } from '../../extension/rooms.ts';
import { loggedInBy } from './password-login.ts';
import { accountOfToken } from './token-login.ts';

export function authenticationRoutes(rooms: Rooms): readonly HeddleRoute[] {
  return [
    route(fetchApiKey, { limit: 'login', account: ({ username }) => username }, async (request) => {
      const { user } = await loggedInBy(rooms, request.organization, request.parameters);
      return credentialsOf(rooms, request, user);
    }),

    route(developmentFetchApiKey, { limit: 'login', account: ({ username }) => username }, (request) => {
      if (!rooms.config.devLogin) throw badRequest('DevAuthBackend not enabled.');
      const user = request.organization.directory.userByEmail(request.parameters.username);
      if (user === undefined || user.isBot) throw authenticationFailed();
      return credentialsOf(rooms, request, user);
    }),

    route(jwtFetchApiKey, { limit: 'login', account: ({ token }) => token }, async (request) => {
      const { token, include_profile: withProfile } = request.parameters;
      const { organization } = request;
      const user = await accountOfToken(rooms.config, organization, token);
      const { api_key, email } = await credentialsOf(rooms, request, user);
      const profile = withProfile && {
        user: presentUser(organization.directory, user, {
          clientGravatar: false,
          withProfileData: false,
          reader: user,
        }),
      };
      return { api_key, email, ...profile };
    }),

    route(regenerateApiKey, {}, async ({ organization, caller }) => {
      if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
      return { api_key: await renewOwnKey(rooms, organization, caller) };
    }),
  ];
}

async function credentialsOf(
  rooms: Pick<Rooms, 'secret' | 'db' | 'jobs'>,
  { organization, userAgent, remoteAddress }: LoginOrigin & { readonly organization: Organization },
  user: UserRecord,
) {
  // Only callers who have authenticated learn this.
  if (!user.isActive) throw deactivatedUser();
  await noticeLogin(rooms, organization, user, { userAgent, remoteAddress });
  const key = apiKeyFor(rooms.secret, organization.id, user.id, user.apiKeyVersion);
  return { api_key: key, email: user.deliveryEmail, user_id: user.id };
}
