import * as endpoints from '@heddle/api/endpoints/signup.ts';
import { ApiError } from '@heddle/api/errors.ts';
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { Organization } from '../../../directory/organization.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import type { PageAnswer } from '../../../http/answers/answers.ts';
import type { RequestCookies } from '../../../http/requests/cookies.ts';
import type { RequestOrigin } from '../../../http/requests/route.ts';
import { type Language, msg } from '../../../languages/language.ts';
import type { Problems } from '../../../pages/forms.ts';
import { type LanguagePreferences, languageOfPage, preferredLanguages } from '../../../pages/page-language.ts';
import { externalMethods } from '../../credentials/login-methods.ts';
import { knownOf, passwordProblem } from '../../credentials/passwords.ts';
import { beginSession, endSession } from '../../credentials/sessions.ts';
import { type PageView, type Viewing, viewFor } from '../../organizations/organization-pictures/organization-page.ts';
import { ADDRESS_REFUSALS, addressRules } from '../../texts/address-rules/rules.ts';
import { checkedFullName } from '../../users/users/names.ts';
import type { Invitation } from '../invitations/rows.ts';
import { AddressRefusedError, accept, checkedAddress, EndedError } from './accepting.ts';
import { type Closed, findByMail, findInvitation } from './finding.ts';
import * as pages from './pages.ts';
import { mustConfirm, requestConfirmation } from './requesting.ts';

/** The pages for creating an account. Guesses of keys count toward the limit of requests without credentials. */
export function joiningRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.showReusableInvitation, {}, (request) => withLink(app, request, (way) => showWay(request, way))),
    route(endpoints.acceptReusableInvitation, {}, (request) =>
      withLink(app, request, (way) => (way.asksFirst ? askForMail : signUp)(app, request, way)),
    ),
    route(endpoints.showInvitation, {}, (request) => byMail(app, request, (way) => showWay(request, way))),
    route(endpoints.acceptInvitation, {}, (request) => byMail(app, request, (way) => signUp(app, request, way))),
    route(endpoints.showRegistration, {}, (request) => uninvited(app, request, (way) => showWay(request, way))),
    route(endpoints.requestRegistration, {}, (request) =>
      uninvited(app, request, (way) => askForMail(app, request, way)),
    ),
  ];
}

interface Asking extends Viewing, RequestOrigin {
  readonly cookies: RequestCookies;
}

interface Given {
  readonly full_name: string;
  readonly email: string;
  readonly password: string;
}

/** A valid way to join. */
interface Way {
  readonly invitation: Invitation | undefined;
  /** The confirmed address; undefined: the form asks for it. */
  readonly address: string | undefined;
  readonly confirmationId: number | undefined;
  /** The path of its page. */
  readonly path: string;
  readonly otherWays: pages.OtherWays;
  /** The address must be confirmed first. */
  readonly asksFirst: boolean;
  readonly sendsMails: boolean;
}

type Page = PageAnswer | Promise<PageAnswer>;
type Through = (way: Way) => Page;
interface WithKey extends Viewing {
  readonly parameters: { readonly key: string };
}

async function withLink(app: AppContext, request: WithKey, through: Through): Promise<PageAnswer> {
  const { organization, parameters } = request;
  const found = await findInvitation(app, organization, parameters.key, 'link');
  if (found.is !== 'open') return closed(request, found.is);
  const { invitation } = found;
  return through({
    invitation,
    address: undefined,
    confirmationId: undefined,
    path: `/join/${encodeURIComponent(parameters.key)}/`,
    otherWays: otherWaysOf(app, request, parameters.key),
    asksFirst: mustConfirm(app, organization, invitation),
    sendsMails: sendsMails(app),
  });
}

async function byMail(app: AppContext, request: WithKey, through: Through): Promise<PageAnswer> {
  const { organization, parameters } = request;
  const found = await findByMail(app, organization, parameters.key);
  if (found.is !== 'open') return closed(request, found.is);
  const path = `/accounts/do_confirm/${encodeURIComponent(parameters.key)}`;
  // Other login systems return with an address, which finds a mail invitation again.
  const otherWays = found.confirmationId === undefined ? otherWaysOf(app, request) : [];
  return through({ ...found, path, otherWays, asksFirst: false, sendsMails: sendsMails(app) });
}

function uninvited(app: AppContext, request: Viewing, through: Through): Page {
  const { organization } = request;
  if (!takesWhoeverComes(organization)) return closed(request, 'invited-only');
  return through({
    invitation: undefined,
    address: undefined,
    confirmationId: undefined,
    path: '/register/',
    otherWays: otherWaysOf(app, request),
    asksFirst: mustConfirm(app, organization, undefined),
    sendsMails: sendsMails(app),
  });
}

const sendsMails = ({ config }: Pick<AppContext, 'config'>): boolean => config.smtpUrl !== null;

function takesWhoeverComes({ directory }: Organization): boolean {
  return !organizationSetting(directory, 'invite_required');
}

function closed(request: Viewing, why: Closed): PageAnswer {
  return pages.closedPage(viewFor(request), why, takesWhoeverComes(request.organization));
}

function showWay(asking: Asking, way: Way): PageAnswer {
  const shown = { ...way, view: viewFor(asking, way.path), csrfToken: asking.cookies.csrfToken };
  return way.asksFirst ? pages.addressPage(shown) : pages.signupPage(shown);
}

async function askForMail(
  app: AppContext,
  asking: Asking & { readonly parameters: { readonly email: string } },
  way: Way,
): Promise<PageAnswer> {
  const { organization, cookies, remoteAddress, parameters } = asking;
  const view = viewFor(asking, way.path);
  const problem = await problemWithAddress(app, view, parameters.email);
  if (problem !== undefined) {
    const { csrfToken } = cookies;
    return pages.addressPage({
      ...way,
      view,
      csrfToken,
      email: parameters.email,
      problems: { email: problem },
    });
  }
  const email = checkedAddress(parameters.email);
  const { tag: language } = view.language;
  await requestConfirmation(app, organization, { email, invitation: way.invitation, remoteAddress, language });
  return pages.mailSentPage(viewFor(asking), { email, sendsMails: way.sendsMails });
}

async function signUp(app: AppContext, asking: Asking & { readonly parameters: Given }, way: Way): Promise<PageAnswer> {
  const { organization, cookies, parameters } = asking;
  const languages = preferredLanguages(asking);
  const view = viewFor(asking, way.path);
  const { full_name: fullName, password } = parameters;
  const email = way.address ?? parameters.email;
  const again = (problems: Problems) =>
    pages.signupPage({ ...way, view, csrfToken: cookies.csrfToken, fullName, email, problems });
  const problems = await problemsWith(app, view, way, { fullName, email, password });
  if (Object.keys(problems).length > 0) return again(problems);
  try {
    const admission = { invitationId: way.invitation?.id, confirmationId: way.confirmationId };
    const user = await accept(app, organization, admission, { fullName, email, password, languages });
    const token = await beginSession(app, organization, { userId: user.id, passwordHash: undefined, origin: asking });
    if (cookies.session !== undefined) await endSession(organization, cookies.session, 'replaced');
    if (token !== undefined) cookies.beginSession(token);
  } catch (error) {
    if (error instanceof EndedError) {
      return closed(
        asking,
        error.ending === 'used' && way.confirmationId !== undefined ? 'confirmation-used' : error.ending,
      );
    }
    if (error instanceof AddressRefusedError) return again({ email: view.language.t(REFUSED_ADDRESS) });
    // Another user has taken the name since the form was shown.
    if (error instanceof ApiError && error.code === 'BAD_REQUEST')
      return again({ '': view.language.known(error.message) });
    throw error;
  }
  return pages.welcomePage(
    viewFor(asking),
    app.address.of(organization.directory.organization.subdomain),
    email.trim(),
  );
}

/** One text for addresses with an account and for those that cannot have one, so it reveals neither. */
const REFUSED_ADDRESS = msg(
  'You cannot sign up with this address. If you have an account already, log in; else try another address of yours.',
);

/** Problems that can be shown without looking at accounts. Whether the address has an account is checked last. */
async function problemsWith(
  app: AppContext,
  view: PageView,
  { invitation, address }: Way,
  { fullName, email, password }: { readonly fullName: string; readonly email: string; readonly password: string },
): Promise<Problems> {
  const { organization, language } = view;
  const { directory } = organization;
  const { t } = language;
  const inviter = invitation === undefined ? undefined : directory.user(invitation.inviter_id);
  const known = [...knownOf(organization, { fullName, email }), inviter?.fullName ?? ''];
  const problems: Record<string, string | undefined> = {
    full_name: fullName.trim() === '' ? t('Enter your name.') : refusalOf(language, () => checkedFullName(fullName)),
    // A confirmed address is checked when the account is created.
    email: address === undefined ? await problemWithAddress(app, view, email) : undefined,
    password: passwordProblem(password, known, t),
  };
  return Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Problems of an address that do not depend on existing accounts. */
async function problemWithAddress(
  { db }: AppContext,
  { organization: { directory }, language }: PageView,
  email: string,
): Promise<string | undefined> {
  const { t } = language;
  if (email.trim() === '') return t('Enter your email address.');
  const invalid = refusalOf(language, () => checkedAddress(email));
  if (invalid !== undefined) return invalid;
  const refusal = (await addressRules(db, directory))(email.trim());
  if (refusal === 'outside') return t('Your address is not in one of the domains that this organization takes.');
  return refusal === undefined ? undefined : t(ADDRESS_REFUSALS[refusal]);
}

function refusalOf(language: Language, check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return language.known(error.message);
    throw error;
  }
}

/** @param linkKey the key of the reusable link, passed on to the other login system */
function otherWaysOf(
  { config }: Pick<AppContext, 'config'>,
  preferences: LanguagePreferences,
  linkKey?: string,
): pages.OtherWays {
  const { t } = languageOfPage(preferences);
  const query = linkKey === undefined ? '' : `?${new URLSearchParams({ multiuse_object_key: linkKey })}`;
  const external = externalMethods(config).map(({ display_name: name, signup_url: url }) => ({
    label: t('Sign up with {name}', { name }),
    url: url + query,
  }));
  const directory = { label: t('Sign up with your account in the directory'), url: `/login/${query}` };
  return config.ldapUrl === null ? external : [...external, directory];
}
