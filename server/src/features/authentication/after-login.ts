/** What follows a login on a page, for all kinds of login. */
import { authenticationFailed } from '@heddle/api/errors.ts';
import { noticeLogin } from '../../domain/accounts/account-security/login-notice.ts';
import { apiKeyFor } from '../../domain/credentials/api-keys.ts';
import { beginSession, endSession } from '../../domain/credentials/sessions.ts';
import { type Viewing, viewForAccount } from '../../domain/organizations/organization-pictures/organization-page.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { type PageAnswer, type RedirectAnswer, redirect } from '../../http/answers/answers.ts';
import type { RequestCookies } from '../../http/requests/cookies.ts';
import type { RequestOrigin } from '../../http/requests/route.ts';
import type { AppPads } from './app-pads.ts';
import { encryptedToken, makeDesktopToken } from './desktop-flow.ts';
import { desktopTokenPage } from './desktop-pages.ts';
import { appAddress } from './mobile-flow.ts';
import { safePath } from './next-path.ts';
import type { LoggedIn } from './password-login.ts';

/** The default destination of a login: the web app. */
export const APP_PATH = '/';

/** The parts of a request that a login needs. */
export interface Asking extends RequestOrigin, Viewing {
  readonly cookies: RequestCookies;
}

/** The destination of a login: a path of this server, or the app with this pad. */
export interface Destination extends AppPads {
  readonly next: string | undefined;
  /** The invitation link of a person who has no account yet. */
  readonly multiuse_object_key: string | undefined;
}

/** The destination as a query string. */
export function destinationQuery(destination: Destination): URLSearchParams {
  const given = Object.entries(destination).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given);
}

/**
 * Begins a session, opens the phone app, or shows the token for a desktop app. The previous session of the browser ends.
 * @throws ApiError `AUTHENTICATION_FAILED`: the account was deactivated or its password changed meanwhile
 */
export async function afterLogin(
  app: Pick<AppContext, 'db' | 'pool' | 'secret' | 'address' | 'jobs'>,
  asking: Asking,
  loggedIn: LoggedIn,
  { next, mobile_flow_otp: pad, desktop_flow_otp: desktopKey }: Omit<Destination, 'multiuse_object_key'>,
): Promise<PageAnswer | RedirectAnswer> {
  const { organization, cookies, userAgent, remoteAddress } = asking;
  const { user, passwordHash } = loggedIn;
  const origin = { userAgent, remoteAddress };
  if (pad !== undefined) {
    await noticeLogin(app, organization, user, origin);
    const url = app.address.of(organization.directory.organization.subdomain);
    const apiKey = apiKeyFor(app.secret, organization.id, user.id, user.apiKeyVersion);
    return redirect(appAddress({ url, email: user.deliveryEmail, userId: user.id, apiKey }, pad), 303);
  }
  if (desktopKey !== undefined) {
    const token = await makeDesktopToken(app, organization.id, loggedIn);
    if (token === undefined) throw authenticationFailed();
    await noticeLogin(app, organization, user, origin);
    // It cannot be opened again, so it has no choice of the language.
    const view = { ...(await viewForAccount(app.db, asking, user.id)), path: undefined };
    return desktopTokenPage(view, encryptedToken(token, desktopKey));
  }
  const token = await beginSession(app, organization, { userId: user.id, passwordHash, origin });
  if (token === undefined) throw authenticationFailed();
  await noticeLogin(app, organization, user, origin);
  if (cookies.session !== undefined) await endSession(organization, cookies.session, 'replaced');
  cookies.beginSession(token);
  return redirect(safePath(next, APP_PATH), 303);
}
