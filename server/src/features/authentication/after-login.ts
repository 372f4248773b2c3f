/** What comes after a login on a page, however it was done. */
import { authenticationFailed } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import { type PageAnswer, type RedirectAnswer, redirect } from '../../http/answers.ts';
import type { RequestCookies } from '../../http/cookies.ts';
import { type LoginOrigin, noticeLogin } from '../account/actions.ts';
import type { Rooms } from '../rooms.ts';
import { apiKeyFor } from './api-keys.ts';
import type { AppPads } from './app-pads.ts';
import { encryptedToken, makeDesktopToken } from './desktop-flow.ts';
import { desktopTokenPage } from './desktop-pages.ts';
import { appAddress } from './mobile-flow.ts';
import { safePath } from './next-path.ts';
import type { LoggedIn } from './password-login.ts';
import { beginSession, endSession } from './sessions.ts';

/** Where people land who did not say where to. */
export const SESSIONS_PATH = '/accounts/sessions/';

/** What is needed of a request to know who asks. */
export interface Asking extends LoginOrigin {
  readonly organization: Organization;
  readonly cookies: RequestCookies;
}

/** Where a login leads: to a path here, or to the app that has this pad. */
export interface Destination extends AppPads {
  readonly next: string | undefined;
  /** The invitation link that somebody comes with who has no account yet. */
  readonly multiuse_object_key: string | undefined;
}

/** The same in the query of an address. */
export function destinationQuery(destination: Destination): URLSearchParams {
  const given = Object.entries(destination).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given);
}

/**
 * Begins a session, opens the phone app that asked, or shows what a desktop app is to be given. The session that was there before ends, whosever it was.
 * @throws ApiError `AUTHENTICATION_FAILED`: the account was closed, or got another password meanwhile
 */
export async function afterLogin(
  rooms: Pick<Rooms, 'db' | 'secret' | 'address' | 'jobs'>,
  { organization, cookies, userAgent, remoteAddress }: Asking,
  loggedIn: LoggedIn,
  { next, mobile_flow_otp: pad, desktop_flow_otp: desktopKey }: Omit<Destination, 'multiuse_object_key'>,
): Promise<PageAnswer | RedirectAnswer> {
  const { user, passwordHash } = loggedIn;
  const origin = { userAgent, remoteAddress };
  if (pad !== undefined) {
    await noticeLogin(rooms, organization, user, origin);
    const url = rooms.address.of(organization.directory.organization.subdomain);
    const apiKey = apiKeyFor(rooms.secret, organization.id, user.id, user.apiKeyVersion);
    return redirect(appAddress({ url, email: user.deliveryEmail, userId: user.id, apiKey }, pad), 303);
  }
  if (desktopKey !== undefined) {
    const token = await makeDesktopToken(rooms, organization.id, loggedIn);
    if (token === undefined) throw authenticationFailed();
    await noticeLogin(rooms, organization, user, origin);
    return desktopTokenPage(organization, encryptedToken(token, desktopKey));
  }
  const token = await beginSession(rooms, organization.id, { userId: user.id, passwordHash });
  if (token === undefined) throw authenticationFailed();
  await noticeLogin(rooms, organization, user, origin);
  if (cookies.session !== undefined) await endSession(rooms, organization.id, cookies.session);
  cookies.beginSession(token);
  return redirect(safePath(next, SESSIONS_PATH), 303);
}
