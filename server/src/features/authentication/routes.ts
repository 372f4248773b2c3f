import {
  developmentFetchApiKey,
  fetchApiKey,
  jwtFetchApiKey,
  regenerateApiKey,
} from '@heddle/api/endpoints/authentication.ts';
import { authenticationFailed, badRequest, deactivatedUser } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { noticeLogin } from '../../domain/accounts/account-security/login-notice.ts';
import { apiKeyFor } from '../../domain/credentials/api-keys.ts';
import { renewOwnKey } from '../../domain/credentials/own-key.ts';
import { presentUser } from '../../domain/users/users/present.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import type { RequestOrigin } from '../../http/requests/route.ts';
import { loggedInBy } from './password-login.ts';
import { accountOfToken } from './token-login.ts';

export function authenticationRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(fetchApiKey, { limit: 'login', account: ({ username }) => username }, async (request) => {
      const { organization, parameters, languages } = request;
      const { user } = await loggedInBy(app, organization, { ...parameters, languages });
      return credentialsOf(app, request, user);
    }),

    route(developmentFetchApiKey, { limit: 'login', account: ({ username }) => username }, (request) => {
      if (!app.config.devLogin) throw badRequest('DevAuthBackend not enabled.');
      const user = request.organization.directory.userByEmail(request.parameters.username);
      if (user === undefined || user.isBot) throw authenticationFailed();
      return credentialsOf(app, request, user);
    }),

    route(jwtFetchApiKey, { limit: 'login', account: ({ token }) => token }, async (request) => {
      const { token, include_profile: withProfile } = request.parameters;
      const { organization } = request;
      const user = await accountOfToken(app, organization, token);
      const { api_key, email } = await credentialsOf(app, request, user);
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
      return { api_key: await renewOwnKey(app, organization, caller) };
    }),
  ];
}

async function credentialsOf(
  app: Pick<AppContext, 'secret' | 'pool' | 'jobs'>,
  { organization, userAgent, remoteAddress }: RequestOrigin & { readonly organization: Organization },
  user: UserRecord,
) {
  // Only callers who have authenticated learn this.
  if (!user.isActive) throw deactivatedUser();
  await noticeLogin(app, organization, user, { userAgent, remoteAddress });
  const key = apiKeyFor(app.secret, organization.id, user.id, user.apiKeyVersion);
  return { api_key: key, email: user.deliveryEmail, user_id: user.id };
}
