/** The pages to log in and out. */
import * as endpoints from '@heddle/api/endpoints/login-pages.ts';
import { ApiError, badRequest, notFound } from '@heddle/api/errors.ts';
import { knownLanguage } from '@heddle/api/languages.ts';
import { externalMethods } from '../../domain/credentials/login-methods.ts';
import { endSession, endSessionsOf, sessionsOf, whoIsLoggedIn } from '../../domain/credentials/sessions.ts';
import { viewFor, viewForAccount } from '../../domain/organizations/organization-pictures/organization-page.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { file, redirect } from '../../http/answers/answers.ts';
import { fileInMemory } from '../../http/answers/file-sources.ts';
import { isTooOld } from '../../http/requests/user-agent.ts';
import { type Message, msg } from '../../languages/language.ts';
import { LANGUAGE_COOKIE, languageOfPage, preferredLanguages } from '../../pages/page-language.ts';
import { STYLESHEET, STYLESHEET_FILE } from '../../pages/stylesheet.ts';
import { APP_PATH, type Asking, afterLogin, type Destination, destinationQuery } from './after-login.ts';
import { checkPads, isForApp } from './app-pads.ts';
import { type LoginPage, loginPage, tooOldPage } from './login-page.ts';
import { safePath } from './next-path.ts';
import { loggedInBy } from './password-login.ts';
import { sessionsPage } from './sessions-page.ts';

const SESSIONS_PATH = '/accounts/sessions/';
/** The chosen language is remembered for a year. */
const REMEMBERED_SECONDS = 365 * 86_400;
/** What pages of errors need: at hosts without an organization, too. */
const NOWHERE = { limit: 'none', organization: 'none' } as const;

export function pageRoutes(app: AppContext): readonly HeddleRoute[] {
  const style = fileInMemory(STYLESHEET, 'text/css; charset=utf-8');
  const login = { limit: 'login', account: ({ username }: { readonly username: string }) => username } as const;

  type Shown = Pick<LoginPage, 'destination' | 'username' | 'problems'>;
  const show = (request: Asking, shown: Shown) => {
    const { organization, cookies } = request;
    return loginPage({
      ...shown,
      view: viewFor(request, request.openedPath ?? `/login/?${destinationQuery(shown.destination)}`),
      url: app.address.of(organization.directory.organization.subdomain),
      csrfToken: cookies.csrfToken,
      otherWays: externalMethods(app.config).map(({ display_name: name, login_url: url }) => ({
        name,
        url: `${url}?${destinationQuery(shown.destination)}`,
      })),
      takesNames: app.config.ldapUrl !== null,
    });
  };

  const showLogin = async (request: Asking & { parameters: Destination }) => {
    const { parameters: destination } = request;
    checkPads(destination);
    if (isTooOld(request.userAgent)) return tooOldPage(viewFor(request));
    // A login for an app requires a password, even with a session.
    if (!isForApp(destination) && (await whoIsLoggedIn(app, request)) !== undefined) {
      return redirect(safePath(destination.next, APP_PATH));
    }
    return show(request, { destination: { ...destination } });
  };

  const tryLogin = async (request: Asking & { parameters: Destination & Given }) => {
    const { username, password, ...destination } = request.parameters;
    checkPads(destination);
    const { multiuse_object_key: invitationKey } = destination;
    const shown = { destination, username };
    const { t } = languageOfPage(request);
    if (username.trim() === '') return show(request, { ...shown, problems: { username: t('Say who you are') } });
    if (password === '') return show(request, { ...shown, problems: { password: t('Give your password') } });
    try {
      const languages = preferredLanguages(request);
      const loggedIn = await loggedInBy(app, request.organization, { username, password, invitationKey, languages });
      return await afterLogin(app, request, loggedIn, destination);
    } catch (error) {
      const text = error instanceof ApiError ? refusalOf(error, app.config.ldapUrl !== null) : undefined;
      if (text === undefined) throw error;
      return show(request, { ...shown, problems: { '': t(text) } });
    }
  };

  return [
    route(endpoints.getLoginPage, {}, showLogin),
    route(endpoints.getAccountsLoginPage, {}, showLogin),
    route(endpoints.logIn, login, tryLogin),
    route(endpoints.accountsLogIn, login, tryLogin),

    route(endpoints.getSessionsPage, {}, async (request) => {
      const { organization, cookies } = request;
      const user = await whoIsLoggedIn(app, request);
      const { session: token } = cookies;
      if (user === undefined || token === undefined)
        return redirect(`/login/?next=${encodeURIComponent(SESSIONS_PATH)}`);
      const sessions = await sessionsOf(app, organization.id, { userId: user.id, token });
      const view = await viewForAccount(app.db, request, user.id);
      return sessionsPage({ view, user, sessions, csrfToken: cookies.csrfToken });
    }),

    route(endpoints.logOut, {}, async ({ organization, cookies }) => {
      const { session } = cookies;
      if (session !== undefined) await endSession(organization, session, 'logged out');
      cookies.endSession();
      return redirect('/login/', 303, { emptiesBrowser: true });
    }),

    route(endpoints.logOutEverywhere, {}, async (request) => {
      const { organization, cookies } = request;
      const user = await whoIsLoggedIn(app, request);
      if (user !== undefined) await endSessionsOf(organization, user.id);
      cookies.endSession();
      return redirect('/login/', 303, { emptiesBrowser: true });
    }),

    route(endpoints.chooseLanguage, NOWHERE, ({ parameters, cookies, isFromAnotherSite }) => {
      const language = knownLanguage([parameters.language]);
      if (language === undefined) throw badRequest(msg('We do not have this language.'));
      // A link of another site must not change the language.
      if (!isFromAnotherSite) cookies.set({ name: LANGUAGE_COOKIE, value: language, seconds: REMEMBERED_SECONDS });
      return redirect(safePath(parameters.next, '/login/'), 303);
    }),

    route(endpoints.getPageStyle, NOWHERE, ({ parameters }) => {
      if (parameters.file !== STYLESHEET_FILE) throw notFound();
      return file(style, { disposition: 'inline', cacheControl: 'public, max-age=31536000, immutable' });
    }),
  ];
}

interface Given {
  readonly username: string;
  readonly password: string;
}

function refusalOf({ code }: ApiError, takesNames: boolean): Message | undefined {
  switch (code) {
    case 'AUTHENTICATION_FAILED':
      return takesNames
        ? msg('This name or address and this password do not go together.')
        : msg('This email address and this password do not go together.');
    case 'USER_DEACTIVATED':
      return msg('Your account is deactivated. An administrator of the organization can open it again.');
    default:
      return undefined;
  }
}
