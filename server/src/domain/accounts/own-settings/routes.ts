import type { Parameters } from '@heddle/api/contract.ts';
import { getExportConsents } from '@heddle/api/endpoints/exports.ts';
import * as endpoints from '@heddle/api/endpoints/user-settings.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { roleRefusal } from '../../../access/setting-changes.ts';
import { readValue } from '../../../db/prepared.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import type { RequestCookies } from '../../../http/requests/cookies.ts';
import type { RequestOrigin } from '../../../http/requests/route.ts';
import { beginSession, userOfSession } from '../../credentials/sessions.ts';
import { selectConsents } from '../../users/user-settings/consents.ts';
import { checkedPasswordChange } from '../account-security/passwords.ts';
import { changeDefaults, changeOwnSettings } from './actions.ts';
import { checkedOwnSettings } from './checking.ts';

export function userSettingsRoutes(app: AppContext): readonly HeddleRoute[] {
  const changeOwn = (request: Request) => changeSettingsOf(app, request);
  const password = {
    showsPassword: ({ new_password: given }: Request['parameters']) => given !== undefined,
  };
  return [
    route(endpoints.updateSettings, password, changeOwn),
    route(endpoints.updateDisplaySettings, password, changeOwn),
    route(endpoints.updateNotificationSettings, password, changeOwn),

    route(endpoints.updateSettingsDefaults, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) => changeDefaults(change, user, parameters));
      return {};
    }),

    route(getExportConsents, {}, async ({ organization, caller }) => {
      const refusal = roleRefusal(caller, 'administrator');
      if (refusal !== undefined) throw refusal;
      return { export_consents: await readValue(app.db, selectConsents(organization.id)) };
    }),
  ];
}

interface Request extends RequestOrigin {
  readonly parameters: Parameters<typeof endpoints.updateSettings>;
  readonly organization: Organization;
  readonly caller: UserRecord;
  readonly cookies: RequestCookies;
}

async function changeSettingsOf(app: AppContext, request: Request) {
  const { parameters, organization, caller } = request;
  if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
  const {
    full_name: fullName,
    email,
    old_password: oldPassword = '',
    new_password: newPassword,
    ...given
  } = parameters;
  const requested = checkedOwnSettings(given);
  if (newPassword === undefined) {
    await changeOwnSettings(app, organization, caller, requested, { fullName, email });
    return {};
  }
  const password = await checkedPasswordChange(app, organization, caller, { oldPassword, newPassword });
  const isInBrowser = await hasSession(app, request);
  const session = isInBrowser ? request.cookies.session : undefined;
  await changeOwnSettings(app, organization, caller, requested, {
    fullName,
    email,
    password: { ...password, session },
  });
  if (isInBrowser) await continueInBrowser(app, request, password.to);
  return {};
}

async function hasSession(app: AppContext, request: Request): Promise<boolean> {
  const { organization, caller, cookies } = request;
  const { session } = cookies;
  return session !== undefined && (await userOfSession(app, organization.id, session, request)) === caller.id;
}

/** The change of the password has ended all sessions, so the browser gets a new one. */
async function continueInBrowser(
  app: AppContext,
  { organization, caller, cookies, userAgent, remoteAddress }: Request,
  passwordHash: string,
): Promise<void> {
  const token = await beginSession(app, organization, {
    userId: caller.id,
    passwordHash,
    origin: { userAgent, remoteAddress },
  });
  if (token !== undefined) cookies.beginSession(token);
}
