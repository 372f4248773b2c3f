import * as endpoints from '@heddle/api/endpoints/signup.ts';
import { ApiError } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { PageAnswer } from '../../http/answers.ts';
import type { RequestCookies } from '../../http/cookies.ts';
import type { Problems } from '../../pages/forms.ts';
import { beginSession, checkedPassword, endSession, externalMethods } from '../authentication/actions.ts';
import { weaknessOf } from '../password-strength.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { checkedFullName } from '../users/actions.ts';
import { AddressRefusedError, accept, checkedAddress, EndedInvitationError, findInvitation } from './accepting.ts';
import { closedPage, type SignupPage, signupPage, welcomePage } from './pages.ts';
import type { Invitation } from './rows.ts';

/** The pages behind invitation links. Whoever guesses keys does so within the limit of requests without credentials. */
export function signupRoutes(rooms: Rooms): readonly HeddleRoute[] {
  return [
    route(endpoints.showReusableInvitation, {}, (request) => show(rooms, request, 'link')),
    route(endpoints.acceptReusableInvitation, {}, (request) => signUp(rooms, request, 'link')),
    route(endpoints.showInvitation, {}, (request) => show(rooms, request, 'mail')),
    route(endpoints.acceptInvitation, {}, (request) => signUp(rooms, request, 'mail')),
  ];
}

interface LinkRequest {
  readonly organization: Organization;
  readonly parameters: { readonly key: string };
  readonly cookies: RequestCookies;
}

interface SignupRequest extends LinkRequest {
  readonly parameters: LinkRequest['parameters'] & {
    readonly full_name: string;
    readonly email: string;
    readonly password: string;
  };
}

type Way = 'mail' | 'link';

async function show(
  rooms: Rooms,
  { organization, parameters: { key }, cookies }: LinkRequest,
  way: Way,
): Promise<PageAnswer> {
  const found = await findInvitation(rooms, organization, key, way);
  if (found.is !== 'open') return closedPage(organization, found);
  const { csrfToken } = cookies;
  const { invitation } = found;
  const otherWays = otherWaysOf(rooms, key, way);
  return signupPage({ organization, invitation, action: actionOf(key, way), csrfToken, otherWays });
}

async function signUp(rooms: Rooms, request: SignupRequest, way: Way): Promise<PageAnswer> {
  const { organization, parameters, cookies } = request;
  const found = await findInvitation(rooms, organization, parameters.key, way);
  if (found.is !== 'open') return closedPage(organization, found);
  const { invitation } = found;
  const { full_name: fullName, password } = parameters;
  const email = invitation.email ?? parameters.email;
  const again = (problems: Problems) => {
    const action = actionOf(parameters.key, way);
    return signupPage({
      organization,
      invitation,
      action,
      csrfToken: cookies.csrfToken,
      fullName,
      email,
      problems,
      otherWays: otherWaysOf(rooms, parameters.key, way),
    });
  };
  const problems = problemsWith(organization, invitation, { fullName, email, password });
  if (Object.keys(problems).length > 0) return again(problems);
  try {
    const user = await accept(rooms, organization, invitation.id, { fullName, email, password });
    const token = await beginSession(rooms, organization.id, { userId: user.id, passwordHash: undefined });
    if (cookies.session !== undefined) await endSession(rooms, organization.id, cookies.session);
    if (token !== undefined) cookies.beginSession(token);
  } catch (error) {
    if (error instanceof EndedInvitationError) return closedPage(organization, { is: error.standing });
    if (error instanceof AddressRefusedError) return again({ email: REFUSED_ADDRESS });
    // Another has taken the name meanwhile.
    if (error instanceof ApiError && error.code === 'BAD_REQUEST') return again({ '': error.message });
    throw error;
  }
  return welcomePage(organization, rooms.address.of(organization.directory.organization.subdomain), email.trim());
}

/** One text for addresses that have an account and for those that the organization does not take: neither is anybody's business. */
const REFUSED_ADDRESS =
  'You cannot sign up with this address. If you have an account already, log in; else try another address of yours.';

/** What can be told without looking at anybody's account: whether an address has one is not asked before all else is right. */
function problemsWith(
  { directory }: Organization,
  invitation: Invitation,
  { fullName, email, password }: { readonly fullName: string; readonly email: string; readonly password: string },
): Problems {
  const known = [fullName, email, directory.organization.name, directory.user(invitation.inviter_id)?.fullName ?? ''];
  const problems: Record<string, string | undefined> = {
    full_name: fullName.trim() === '' ? 'Enter your name.' : refusalOf(() => checkedFullName(fullName)),
    email: email.trim() === '' ? 'Enter your email address.' : refusalOf(() => checkedAddress(email)),
    password: refusalOf(() => checkedPassword(password)) ?? weaknessOf(password, known),
  };
  return Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** An invitation by mail is known by the address with which somebody comes back; a link is taken along. */
function otherWaysOf({ config }: Pick<Rooms, 'config'>, key: string, way: Way): SignupPage['otherWays'] {
  const query = way === 'link' ? `?${new URLSearchParams({ multiuse_object_key: key })}` : '';
  const external = externalMethods(config).map(({ display_name: name, signup_url: url }) => ({
    label: `Sign up with ${name}`,
    url: url + query,
  }));
  const directory = { label: 'Sign up with your account in the directory', url: `/login/${query}` };
  return config.ldapUrl === null ? external : [...external, directory];
}

function actionOf(key: string, way: Way): string {
  return way === 'link' ? `/join/${encodeURIComponent(key)}/` : `/accounts/do_confirm/${encodeURIComponent(key)}`;
}
