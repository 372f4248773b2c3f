/** The routes to single sign-on and back. */
import { completeProviderLogin, logInWithProvider, signUpWithProvider } from '@heddle/api/endpoints/login-pages.ts';
import { ApiError, notFound } from '@heddle/api/errors.ts';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Organization } from '../../directory/organization.ts';
import {
  organizationPage,
  type Viewing,
  viewFor,
} from '../../domain/organizations/organization-pictures/organization-page.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { type PageAnswer, redirect } from '../../http/answers/answers.ts';
import { isDesktopApp } from '../../http/requests/user-agent.ts';
import { type Message, msg } from '../../languages/language.ts';
import { html } from '../../pages/html.ts';
import { preferredLanguages } from '../../pages/page-language.ts';
import { type Asking, afterLogin, type Destination } from './after-login.ts';
import { checkPads, isForApp } from './app-pads.ts';
import { type Beginning, showDesktopLogin } from './desktop-routes.ts';
import { accountOf } from './joining.ts';
import { safePath } from './next-path.ts';
import { Provider, ProviderRefusal } from './provider.ts';

/** The lifetime of the login state in the browser, in seconds. */
const FLOW_LIFETIME_SECONDS = 1200;
const COOKIE = 'oidc';

const flowSchema = Type.Object({
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  next: Type.Optional(Type.String()),
  pad: Type.Optional(Type.String()),
  desktopKey: Type.Optional(Type.String()),
  invitation: Type.Optional(Type.String()),
});
const flow = Compile(flowSchema);

export function providerRoutes(app: AppContext): readonly HeddleRoute[] {
  const { config, address } = app;
  const provider = new Provider(config);
  const redirectUri = ({ directory }: Organization) => `${address.of(directory.organization.subdomain)}/complete/oidc/`;
  const checkThatThereIsOne = () => {
    if (config.oidcIssuer === null) throw notFound();
  };

  const begin = async (request: Asking & { parameters: Destination }, beginning: Beginning) => {
    const { organization, cookies, userAgent, parameters } = request;
    checkThatThereIsOne();
    checkPads(parameters);
    const { next, mobile_flow_otp: pad, desktop_flow_otp: desktopKey, multiuse_object_key: invitation } = parameters;
    if (isDesktopApp(userAgent) && !isForApp(parameters)) {
      return showDesktopLogin(request, { beginning, multiuse_object_key: invitation });
    }
    const begun = await provider.begin(redirectUri(organization));
    const path = safePath(next, '');
    const kept: Static<typeof flowSchema> = {
      ...begun.flow,
      ...(path !== '' && path.length <= MAX_PATH_LENGTH && { next: path }),
      ...(pad !== undefined && { pad }),
      ...(desktopKey !== undefined && { desktopKey }),
      ...(invitation !== undefined && { invitation }),
    };
    const value = Buffer.from(JSON.stringify(kept)).toString('base64url');
    cookies.set({ name: COOKIE, value, seconds: FLOW_LIFETIME_SECONDS });
    return redirect(begun.url.href);
  };

  return [
    route(logInWithProvider, {}, (request) => begin(request, 'log-in')),
    // A person without an account gets one on return, if the organization allows that.
    route(signUpWithProvider, {}, (request) => begin(request, 'sign-up')),

    route(
      completeProviderLogin,
      { limit: 'login', account: ({ state }) => `single sign-on ${state}` },
      async (request) => {
        const { organization, cookies, parameters, log } = request;
        const languages = preferredLanguages(request);
        checkThatThereIsOne();
        const kept = flowIn(cookies.get(COOKIE));
        // The state is valid once.
        cookies.set({ name: COOKIE, value: '', seconds: 0 });
        if (kept === undefined || parameters.state !== kept.state) return refusal(request, STALE);
        try {
          const person = await provider.complete(redirectUri(organization), kept, parameters);
          const user = await accountOf(app, organization, { ...person, languages }, kept.invitation);
          if (user === undefined) return refusal(request, NO_ACCOUNT);
          const destination = { next: kept.next, mobile_flow_otp: kept.pad, desktop_flow_otp: kept.desktopKey };
          return await afterLogin(app, request, { user, passwordHash: undefined }, destination);
        } catch (error) {
          if (error instanceof ProviderRefusal) {
            log.warn({ err: error }, 'a single sign-on came to nothing');
            return refusal(request, REFUSED);
          }
          if (error instanceof ApiError && error.code === 'USER_DEACTIVATED') return refusal(request, DEACTIVATED);
          throw error;
        }
      },
    ),
  ];
}

/** Characters: cookies have bounds. */
const MAX_PATH_LENGTH = 1500;

const STALE = msg('This login took too long, or was begun in another browser. Please begin again.');
const REFUSED = msg('The single sign-on did not tell who you are. Please begin again.');
const NO_ACCOUNT = msg('You have no account here. Ask somebody of the organization to invite you.');
const DEACTIVATED = msg('Your account is deactivated. An administrator of the organization can open it again.');

function flowIn(cookie: string | undefined): Static<typeof flowSchema> | undefined {
  if (cookie === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(cookie, 'base64url').toString());
    return flow.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The state is valid once, so the choice of the language leads to a new login. */
function refusal(request: Viewing, text: Message): PageAnswer {
  const view = viewFor(request, '/login/');
  const { t } = view.language;
  const content = html`<p role="alert">${t(text)}</p><p><a href="/login/">${t('To the login page')}</a></p>`;
  return organizationPage(view, { heading: t('You are not logged in'), isRefused: true, content }, { status: 400 });
}
