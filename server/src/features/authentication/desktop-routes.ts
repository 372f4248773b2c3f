/** The routes from a login in a browser to a desktop app. */
import { randomBytes } from 'node:crypto';
import * as endpoints from '@heddle/api/endpoints/login-pages.ts';
import { beginSession, endSession } from '../../domain/credentials/sessions.ts';
import { type Viewing, viewFor } from '../../domain/organizations/organization-pictures/organization-page.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { type PageAnswer, type RedirectAnswer, redirect } from '../../http/answers/answers.ts';
import { languageOfPage } from '../../pages/page-language.ts';
import { type Asking, type Destination, destinationQuery } from './after-login.ts';
import { decryptedToken, useDesktopToken } from './desktop-flow.ts';
import { desktopLoginPage, endedTokenPage } from './desktop-pages.ts';

const COOKIE = 'desktop';
/** The time for the login in the browser, in seconds. */
const KEY_LIFETIME_SECONDS = 1200;
const KEY = /^[0-9a-f]{64}$/;

/** Where single sign-on begins in the browser, by the choice in the form. */
const BEGINNINGS = { 'log-in': '/accounts/login/social/oidc', 'sign-up': '/accounts/register/social/oidc' } as const;
export type Beginning = keyof typeof BEGINNINGS;

const NO_DESTINATION = { next: undefined, mobile_flow_otp: undefined, desktop_flow_otp: undefined } as const;

export function desktopRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.finishDesktopLogin, {}, (request) =>
      // An attacker with a token of their own must not log others in with it (session fixation).
      request.isFromAnotherSite ? endedPage(request) : logInWith(app, request, request.parameters.token),
    ),

    route(endpoints.pasteDesktopToken, {}, (request) => {
      const { token: pasted, beginning, multiuse_object_key } = request.parameters;
      const key = request.cookies.get(COOKIE);
      const token = key === undefined || !KEY.test(key) ? undefined : decryptedToken(pasted.trim(), key);
      if (token !== undefined) {
        request.cookies.set({ name: COOKIE, value: '', seconds: 0 });
        return logInWith(app, request, token);
      }
      const { t } = languageOfPage(request);
      const problems = { token: t('This is not the token that the browser shows for this app.') };
      return showDesktopLogin(request, { beginning, multiuse_object_key, problems });
    }),
  ];
}

/** The page in the app. It keeps its key while the user retries. */
export function showDesktopLogin(
  asking: Pick<Asking, 'organization' | 'cookies' | 'languages' | 'openedPath'>,
  {
    beginning,
    multiuse_object_key,
    problems = {},
  }: Pick<Destination, 'multiuse_object_key'> & {
    readonly beginning: Beginning;
    readonly problems?: Readonly<Record<string, string>>;
  },
): PageAnswer {
  const { cookies } = asking;
  const kept = cookies.get(COOKIE);
  const key = kept !== undefined && KEY.test(kept) ? kept : randomBytes(32).toString('hex');
  cookies.set({ name: COOKIE, value: key, seconds: KEY_LIFETIME_SECONDS });
  const inBrowser = destinationQuery({ ...NO_DESTINATION, desktop_flow_otp: key, multiuse_object_key });
  return desktopLoginPage({
    view: viewFor(asking, `${BEGINNINGS[beginning]}?${destinationQuery({ ...NO_DESTINATION, multiuse_object_key })}`),
    csrfToken: cookies.csrfToken,
    url: `${BEGINNINGS[beginning]}?${inBrowser}`,
    hidden: { beginning, multiuse_object_key },
    problems,
  });
}

/** The choice of the language does not lead back to the token: a click on this page would log in with it. */
function endedPage(asking: Viewing): PageAnswer {
  return endedTokenPage(viewFor(asking, '/login/'));
}

async function logInWith(
  app: Pick<AppContext, 'db'>,
  asking: Asking,
  token: string,
): Promise<PageAnswer | RedirectAnswer> {
  const { organization, cookies, userAgent, remoteAddress } = asking;
  const { id: organizationId } = organization;
  const userId = await useDesktopToken(app, organizationId, token);
  const session =
    userId === undefined
      ? undefined
      : await beginSession(app, organization, {
          userId,
          passwordHash: undefined,
          origin: { userAgent, remoteAddress },
        });
  if (session === undefined) return endedPage(asking);
  if (cookies.session !== undefined) await endSession(organization, cookies.session, 'replaced');
  cookies.beginSession(session);
  return redirect('/', 303);
}
