/**
 * What happens to a request before its body is read: find the organization, authenticate the caller, apply the rate limits.
 *
 * Which limit counts a request depends on what it proves. Example with `GET /api/v1/messages` (`authentication: 'optional'`):
 *
 * - With a valid API key it counts for the account (`limits.account`), and for the owner if the account is a bot. The address does not
 *   count.
 * - With a wrong API key it counts for the network (`limits.address`) and fails with 401. So guessing keys is limited per network.
 * - A key in the URL (`keyInUrl`) counts like credentials.
 * - Without credentials it counts as a spectator of the network (`limits.spectators`).
 * - With a session that was valid at its last use it counts for the account.
 * - With an unknown session, `enterBySession` counts the network before it asks the database. A valid session gives that back.
 *
 * A host that is not in memory counts for the network once, before the database is asked for it.
 */
import type { Endpoint } from '@heddle/api/contract.ts';
import { ApiError, credentialsMissing, rateLimited, unknownOrganization } from '@heddle/api/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageAnswer } from '../answers/answers.ts';
import { queryOf } from '../bodies/bodies.ts';
import type { LimitName, LimitResult, Limits, RequestLimitName } from '../limits/limits.ts';
import { networkOf } from '../limits/networks.ts';
import { credentialsOf, proofOf } from './authentication.ts';
import { type CookieRules, RequestCookies } from './cookies.ts';
import type { Authenticator, RequestOrigin, Route } from './route.ts';

/** The caller and the organization of a request. */
export interface Admission<Organization, Caller> {
  readonly organization: Organization;
  readonly caller: Caller | undefined;
  /** The token of the browser's session, if the session identifies the caller. */
  readonly session?: string | undefined;
}

/** Sessions that were valid at their last use. They do not count for their network. Each takes 100 to 200 bytes. */
const recentlyValidSessions = new Set<string>();
const MAX_REMEMBERED_SESSIONS = 20_000;

/** The token of the session that the request may use; undefined if there is none, or if credentials take precedence. */
function sessionOf(endpoint: Endpoint, request: FastifyRequest, rules: CookieRules | undefined): string | undefined {
  const proof = rules === undefined ? 'credentials' : proofOf(request.raw, endpoint);
  if (rules === undefined || proof === 'credentials' || endpoint.authentication === 'none') return undefined;
  if (proof === 'either' && request.headers.authorization !== undefined) return undefined;
  return new RequestCookies(rules, request.headers.cookie).session;
}

/**
 * Admits a request or throws: `NONEXISTENT_SUBDOMAIN`, `UNAUTHORIZED`, `RATE_LIMIT_HIT`, and what the authenticator throws. Requests of others
 * at the same address never cause a refusal of valid credentials. It awaits only an organization that is not in memory yet, and a session.
 * Both database queries count for the limits of the network.
 */
export function admit<Organization, Caller>(
  authenticator: Authenticator<Organization, Caller>,
  limits: Limits | undefined,
  route: Route<Organization, Caller>,
  request: FastifyRequest,
  reply: FastifyReply,
  cookies?: CookieRules,
): Promise<Admission<Organization, Caller>> | Admission<Organization, Caller> {
  const { endpoint, limit } = route;
  const count = (name: RequestLimitName, key: string): void => {
    if (limits) enforce(limits[name].take(key), name, reply);
  };
  const countNetwork = (name: RequestLimitName): void => count(name, networkOf(request.ip));
  const countAddress = (): void => countNetwork('address');
  const isCounted = limit === 'requests' || limit === 'polls' || limit === 'files';
  const countCaller = (caller: Caller | undefined): void => {
    if (!isCounted || limits === undefined) return;
    if (caller !== undefined) {
      const keys = { account: authenticator.limiterKey(caller), owner: authenticator.ownerKey(caller) };
      countAccount(limits, reply, limit, keys);
    } else if (limit === 'files') countNetwork('filesOfAddress');
    else countNetwork(isSpectating(endpoint, caller) ? 'spectators' : 'address');
  };
  const enterBySession = async (organization: Organization, session: string) => {
    // Each session costs a query. An unknown session counts for its network before the query, as other failed requests do.
    const key = `${authenticator.organizationKey(organization)}\n${session}`;
    const wasRecentlyValid = recentlyValidSessions.has(key);
    if (!wasRecentlyValid) countAddress();
    const caller = await authenticator.callerOfSession(organization, session, originOf(request));
    if (caller === undefined) {
      recentlyValidSessions.delete(key);
      if (endpoint.authentication === 'required') throw credentialsMissing();
    } else if (!wasRecentlyValid) {
      limits?.address.giveBack(networkOf(request.ip));
      if (recentlyValidSessions.size >= MAX_REMEMBERED_SESSIONS) recentlyValidSessions.clear();
      recentlyValidSessions.add(key);
    }
    countCaller(caller);
    if (caller !== undefined) authenticator.checkMayCall(caller, endpoint);
    return { organization, caller, session: caller === undefined ? undefined : session };
  };
  const enter = (
    found: Organization | undefined,
  ): Admission<Organization, Caller> | Promise<Admission<Organization, Caller>> => {
    if (found === undefined && route.organizationIs === 'required') throw unknownOrganization('');
    // It is undefined only for routes whose handlers accept that.
    const organization = found as Organization;
    const session = sessionOf(endpoint, request, cookies);
    if (session !== undefined) return enterBySession(organization, session);
    let caller: Caller | undefined;
    try {
      caller = callerOf(authenticator, endpoint, organization, request);
    } catch (error) {
      if (isCounted) countAddress();
      throw error;
    }
    countCaller(caller);
    if (caller !== undefined) authenticator.checkMayCall(caller, endpoint);
    return { organization, caller };
  };
  if (route.organizationIs === 'none') return enter(undefined);
  const found = organizationOf(authenticator, request.host, countAddress);
  return found instanceof Promise ? found.then(enter) : enter(found);
}

/**
 * Authenticates again when a request is served. While its body arrived or other requests ran, the account could be deactivated or get
 * another role.
 * @throws ApiError as `admit` does for credentials
 */
export function admittedStill<Organization, Caller>(
  authenticator: Authenticator<Organization, Caller>,
  endpoint: Endpoint,
  { organization, session }: Admission<Organization, Caller>,
  request: FastifyRequest,
): Admission<Organization, Caller> | Promise<Admission<Organization, Caller>> {
  if (session !== undefined) {
    return authenticator.callerOfSession(organization, session, originOf(request)).then((caller) => {
      if (caller === undefined) throw credentialsMissing();
      return { organization, caller, session };
    });
  }
  const caller = callerOf(authenticator, endpoint, organization, request);
  if (caller === undefined) throw credentialsMissing();
  return { organization, caller };
}

function originOf(request: FastifyRequest): RequestOrigin {
  return { userAgent: request.headers['user-agent'], remoteAddress: request.ip };
}

/** Clients can send any host. An unknown host counts for the network before the database is asked. */
function organizationOf<Organization, Caller>(
  authenticator: Authenticator<Organization, Caller>,
  host: string,
  count: () => void,
): Promise<Organization | undefined> | Organization | undefined {
  let isCounted = false;
  const countOnce = (): void => {
    if (!isCounted) count();
    isCounted = true;
  };
  try {
    return authenticator.organizationOf(host, countOnce);
  } catch (error) {
    countOnce();
    throw error;
  }
}

/** Counts a request of an account for the limit of its route. */
function countAccount(
  limits: Limits,
  reply: FastifyReply,
  limit: 'requests' | 'polls' | 'files',
  { account, owner }: { readonly account: string; readonly owner: string | undefined },
): void {
  if (limit === 'polls') enforce(limits.polls.take(account), 'polls', reply);
  else if (limit === 'files') {
    enforce(limits.files.take(owner === undefined ? account : botsOf(owner)), 'files', reply);
  } else countRequest(limits, reply, account, owner);
}

/** A refused request of one bot must not count for the other bots of its owner. So the limit of the account comes first. */
function countRequest(limits: Limits, reply: FastifyReply, account: string, owner: string | undefined): void {
  enforce(limits.account.take(account), 'account', reply);
  if (owner === undefined) return;
  const ofBots = limits.bots.take(owner);
  // The headers tell a bot its own limit.
  if (ofBots.isAllowed) return;
  limits.account.giveBack(account);
  enforce(ofBots, 'bots', reply);
}

/** The key of all bots of one owner together. */
function botsOf(owner: string): string {
  return `bots of ${owner}`;
}

/**
 * The key of the concurrency slots and the memory that a request uses: the account; all bots of one owner together; or the network of the
 * address.
 */
export function requesterOf<Caller>(
  authenticator: Pick<Authenticator<never, Caller>, 'limiterKey' | 'ownerKey'>,
  caller: Caller | undefined,
  address: string,
): string {
  if (caller === undefined) return networkOf(address);
  const owner = authenticator.ownerKey(caller);
  return owner === undefined ? authenticator.limiterKey(caller) : botsOf(owner);
}

/** Whether a request without credentials asks for what accounts read. Organizations can allow that to spectators. */
export function isSpectating({ authentication }: Endpoint, caller: unknown): boolean {
  return caller === undefined && authentication === 'optional';
}

/** What each limit counts, for the error. */
const COUNTED: Readonly<Record<LimitName, string>> = {
  account: 'requests of an account',
  bots: "requests of one owner's bots",
  polls: 'polls for events of an account',
  files: 'files for an account',
  filesOfAddress: 'files without credentials for an address',
  address: 'requests without valid credentials from an address',
  spectators: 'requests of spectators from an address',
  loginAccount: 'failed logins to an account',
  loginAddress: 'failed logins from an address',
};

function callerOf<Organization, Caller>(
  authenticator: Authenticator<Organization, Caller>,
  endpoint: Endpoint,
  organization: Organization,
  request: FastifyRequest,
): Caller | undefined {
  const { authentication } = endpoint;
  if (authentication === 'none') return undefined;
  const isOfSession = proofOf(request.raw, endpoint) === 'session';
  const whose = isOfSession ? undefined : endpoint.keyInUrl;
  const key = whose === undefined ? undefined : queryOf(request.raw.url ?? '').api_key;
  // Some services send an Authorization header for other purposes. The key in the URL is meant for this server.
  if (whose !== undefined && key !== undefined) {
    return authenticator.accountWithKey(organization, typeof key === 'string' ? key : (key.at(-1) ?? ''), whose);
  }
  const credentials = isOfSession ? undefined : credentialsOf(request.headers.authorization);
  if (credentials) return authenticator.authenticate(organization, credentials);
  if (authentication === 'required') throw credentialsMissing();
  return undefined;
}

/** As much of a name as is looked at, with its invisible characters. */
const MAX_ATTEMPT_NAME_LENGTH = 1000;
const MAX_ATTEMPT_KEY_LENGTH = 320;

/**
 * The account whose failed logins are counted. The database and directories (RFC 4518) find an account by other spellings of its name, too:
 * in another case or form, with marks, or with characters that nobody sees. Each would have attempts of its own.
 */
export function accountOfAttempt(name: string): string {
  // Cut first: to sort many marks takes more than linear time.
  const folded = name.slice(0, MAX_ATTEMPT_NAME_LENGTH).normalize('NFKD').toUpperCase().toLowerCase();
  return folded.replace(/[\p{M}\p{C}\p{Z}]+/gu, '').slice(0, MAX_ATTEMPT_KEY_LENGTH);
}

/**
 * Runs a login within its limits. Each failed login counts for the account and for the address. Attempts count while they run, so concurrent
 * attempts get no further than sequential ones. A success gives the address its count back, and clears the failures of the account.
 *
 * A failure of the server says nothing about the password, so it does not count. For example, the directory (LDAP) may be down. Otherwise
 * everybody who tries meanwhile would be locked out for the rest of the window.
 */
export async function limitLogin<T>(
  limits: Limits | undefined,
  account: string,
  address: string,
  reply: FastifyReply,
  login: () => Promise<T>,
): Promise<T> {
  if (!limits) return login();
  const network = networkOf(address);
  enforce(await limits.loginAddress.take(network), 'loginAddress', reply);
  const giveAddressBack = async () => limits.loginAddress.giveBack(network);
  const giveBack = async (): Promise<void> => {
    await giveAddressBack();
    await limits.loginAccount.giveBack(account);
  };
  try {
    enforce(await limits.loginAccount.take(account), 'loginAccount', reply);
  } catch (error) {
    await giveAddressBack();
    throw error;
  }
  let result: T;
  try {
    result = await login();
  } catch (error) {
    if (!isFailedLogin(error)) await giveBack();
    throw error;
  }
  const status = result instanceof PageAnswer ? (result.options.status ?? 200) : 200;
  if (status >= 500) await giveBack();
  // A page with an error status is a failed login, too.
  if (status >= 400) return result;
  await giveAddressBack();
  await limits.loginAccount.forget(account);
  return result;
}

/** Whether the login was refused. All other errors are failures of the server. */
function isFailedLogin(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

/** Sets the headers of the rate limit. Throws if the limit is exceeded. */
function enforce(result: LimitResult, name: LimitName, reply: FastifyReply): void {
  const { isAllowed, limit, windowSeconds, remaining, secondsLeft } = result;
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', Math.ceil(Date.now() / 1000 + secondsLeft));
  if (!isAllowed) throw rateLimited(secondsLeft, `${limit} ${COUNTED[name]} in ${windowSeconds} s`);
}
