/**
 * What happens to a request before its body is read: find the organization, authenticate the caller, apply the rate limits.
 *
 * Which limit counts a request depends on what it proves. Example with `GET /api/v1/messages` (`authentication: 'optional'`):
 *
 * - With a valid API key it counts for the account (`limits.account`), and for the owner if the account is a bot. The address does not
 *   count.
 * - With a wrong API key it counts for the network (`limits.address`) and fails with 401. So guessing keys is limited per network.
 * - Without credentials it counts as a spectator of the network (`limits.spectators`).
 * - With a session that was valid at its last use it counts for the account.
 * - With an unknown session, `enterBySession` counts the network before it asks the database. A valid session gives that back.
 *
 * A host that is not in memory counts for the network once, before the database is asked for it.
 */
import type { Endpoint } from '@heddle/api/contract.ts';
import { credentialsMissing, rateLimited, unknownOrganization } from '@heddle/api/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageAnswer } from './answers.ts';
import { type Credentials, credentialsOf, proofOf } from './authentication.ts';
import { type CookieRules, RequestCookies } from './cookies.ts';
import type { Limits, Verdict } from './limits.ts';
import { networkOf } from './networks.ts';
import type { Gatekeeper, Route } from './route.ts';

/** The caller and the organization of a request. */
export interface Admission<Organization, Caller> {
  readonly organization: Organization;
  readonly caller: Caller | undefined;
  /** The token of the browser's session, if the session identifies the caller. */
  readonly session?: string | undefined;
}

/** Sessions that were valid at their last use. They do not count for their network. Each takes 100 to 200 bytes. */
const rightLately = new Set<string>();
const MOST_REMEMBERED = 20_000;

/** The token of the session that the request may use; undefined if there is none, or if credentials take precedence. */
function sessionOf(endpoint: Endpoint, request: FastifyRequest, rules: CookieRules | undefined): string | undefined {
  const proof = rules === undefined ? 'credentials' : proofOf(request.raw, endpoint);
  if (rules === undefined || proof === 'credentials' || endpoint.authentication === 'none') return undefined;
  if (proof === 'either' && request.headers.authorization !== undefined) return undefined;
  return new RequestCookies(rules, request.headers.cookie).session;
}

/** The credentials that the request may use. */
function credentialsFrom(endpoint: Endpoint, request: FastifyRequest): Credentials | undefined {
  return proofOf(request.raw, endpoint) === 'session' ? undefined : credentialsOf(request.headers.authorization);
}

/**
 * Admits a request or throws: `NONEXISTENT_SUBDOMAIN`, `UNAUTHORIZED`, `RATE_LIMIT_HIT`, and what the gatekeeper throws. Requests of others
 * at the same address never cause a refusal of valid credentials. It awaits only an organization that is not in memory yet, and a session.
 * Both database queries count for the limits of the network.
 */
export function admit<Organization, Caller>(
  gatekeeper: Gatekeeper<Organization, Caller>,
  limits: Limits | undefined,
  route: Route<Organization, Caller>,
  request: FastifyRequest,
  reply: FastifyReply,
  cookies?: CookieRules,
): Promise<Admission<Organization, Caller>> | Admission<Organization, Caller> {
  const countAddress = (): void => {
    if (limits) enforce(limits, limits.address.take(networkOf(request.ip)), OF_ADDRESS, reply);
  };
  const countSpectator = (): void => {
    if (limits) enforce(limits, limits.spectators.take(networkOf(request.ip)), OF_SPECTATORS, reply);
  };
  const countFile = (): void => {
    if (limits) enforce(limits, limits.filesOfAddress.take(networkOf(request.ip)), OF_FILES, reply);
  };
  const isCounted = route.limit === 'requests' || route.limit === 'polls' || route.limit === 'files';
  const countCaller = (caller: Caller | undefined): void => {
    if (!isCounted) return;
    if (caller === undefined && route.limit === 'files') countFile();
    else if (isSpectating(route.endpoint, caller)) countSpectator();
    else if (caller === undefined) countAddress();
    else if (limits) countAccount(limits, route.limit, gatekeeper, caller, reply);
  };
  const enterBySession = async (organization: Organization, session: string) => {
    // Each session costs a query. An unknown session counts for its network before the query, as other failed requests do.
    const key = `${gatekeeper.organizationKey(organization)}\n${session}`;
    const wasRight = rightLately.has(key);
    if (!wasRight) countAddress();
    const caller = await gatekeeper.callerOfSession(organization, session);
    if (caller === undefined) {
      rightLately.delete(key);
      if (route.endpoint.authentication === 'required') throw credentialsMissing();
    } else if (!wasRight) {
      limits?.address.giveBack(networkOf(request.ip));
      if (rightLately.size >= MOST_REMEMBERED) rightLately.clear();
      rightLately.add(key);
    }
    countCaller(caller);
    if (caller !== undefined) gatekeeper.checkMayCall(caller, route.endpoint);
    return { organization, caller, session: caller === undefined ? undefined : session };
  };
  const enter = (
    found: Organization | undefined,
  ): Admission<Organization, Caller> | Promise<Admission<Organization, Caller>> => {
    if (found === undefined && route.needsOrganization) throw unknownOrganization('');
    // It is undefined only for routes whose handlers accept that.
    const organization = found as Organization;
    const session = sessionOf(route.endpoint, request, cookies);
    if (session !== undefined) return enterBySession(organization, session);
    let caller: Caller | undefined;
    try {
      caller = callerOf(gatekeeper, route, organization, request);
    } catch (error) {
      if (isCounted) countAddress();
      throw error;
    }
    countCaller(caller);
    if (caller !== undefined) gatekeeper.checkMayCall(caller, route.endpoint);
    return { organization, caller };
  };
  const found = organizationOf(gatekeeper, request.host, countAddress);
  return found instanceof Promise ? found.then(enter) : enter(found);
}

/**
 * Authenticates again when a request is served. While its body arrived or other requests ran, the account could be deactivated or get
 * another role.
 * @throws ApiError as `admit` does for credentials
 */
export function admittedStill<Organization, Caller>(
  gatekeeper: Gatekeeper<Organization, Caller>,
  { organization, session }: Admission<Organization, Caller>,
  request: FastifyRequest,
): Admission<Organization, Caller> | Promise<Admission<Organization, Caller>> {
  if (session !== undefined) return stillBySession(gatekeeper, organization, session);
  const credentials = credentialsOf(request.headers.authorization);
  if (credentials === undefined) throw credentialsMissing();
  return { organization, caller: gatekeeper.authenticate(organization, credentials) };
}

async function stillBySession<Organization, Caller>(
  gatekeeper: Gatekeeper<Organization, Caller>,
  organization: Organization,
  session: string,
): Promise<Admission<Organization, Caller>> {
  const caller = await gatekeeper.callerOfSession(organization, session);
  if (caller === undefined) throw credentialsMissing();
  return { organization, caller, session };
}

/** Clients can send any host. An unknown host counts for the network before the database is asked. */
function organizationOf<Organization, Caller>(
  gatekeeper: Gatekeeper<Organization, Caller>,
  host: string,
  count: () => void,
): Promise<Organization | undefined> | Organization | undefined {
  let isCounted = false;
  const countOnce = (): void => {
    if (!isCounted) count();
    isCounted = true;
  };
  try {
    return gatekeeper.organizationOf(host, countOnce);
  } catch (error) {
    countOnce();
    throw error;
  }
}

function countAccount<Caller>(
  limits: Limits,
  limit: string,
  gatekeeper: Pick<Gatekeeper<never, Caller>, 'limiterKey' | 'ownerKey'>,
  caller: Caller,
  reply: FastifyReply,
): void {
  const account = gatekeeper.limiterKey(caller);
  if (limit === 'polls') {
    enforce(limits, limits.polls.take(account), 'polls for events of an account', reply);
    return;
  }
  const owner = gatekeeper.ownerKey(caller);
  if (limit === 'files') {
    const whose = owner === undefined ? account : `bots of ${owner}`;
    enforce(limits, limits.files.take(whose), 'files for an account', reply);
    return;
  }
  if (owner !== undefined) enforce(limits, limits.bots.take(owner), "requests of one owner's bots", reply);
  enforce(limits, limits.account.take(account), 'requests of an account', reply);
}

/**
 * The key of the concurrency slots and the memory that a request uses: the account; all bots of one owner together; or the network of the
 * address.
 */
export function requesterOf<Caller>(
  gatekeeper: Pick<Gatekeeper<never, Caller>, 'limiterKey' | 'ownerKey'>,
  caller: Caller | undefined,
  address: string,
): string {
  if (caller === undefined) return networkOf(address);
  const owner = gatekeeper.ownerKey(caller);
  return owner === undefined ? gatekeeper.limiterKey(caller) : `bots of ${owner}`;
}

/** Whether a request without credentials asks for what accounts read. Organizations can allow that to spectators. */
export function isSpectating({ authentication }: Endpoint, caller: unknown): boolean {
  return caller === undefined && authentication === 'optional';
}

const OF_SPECTATORS = 'requests of spectators from an address';
const OF_FILES = 'files without credentials for an address';
const OF_ADDRESS = 'requests without valid credentials from an address';

function callerOf<Organization, Caller>(
  gatekeeper: Gatekeeper<Organization, Caller>,
  { endpoint }: Route<Organization, Caller>,
  organization: Organization,
  request: FastifyRequest,
): Caller | undefined {
  const { authentication } = endpoint;
  if (authentication === 'none') return undefined;
  const credentials = credentialsFrom(endpoint, request);
  if (credentials) return gatekeeper.authenticate(organization, credentials);
  if (authentication === 'required') throw credentialsMissing();
  return undefined;
}

/**
 * Runs a login within its limits. Each failure counts for the account and for the address; a success takes back its cost. Attempts count
 * while they run, so concurrent attempts get no further than sequential ones.
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
  enforce(limits, limits.loginAddress.take(network), 'failed logins from an address', reply);
  enforce(limits, limits.loginAccount.take(account), 'failed logins to an account', reply);
  const result = await login();
  // A page with an error status is a failed login, too.
  if (result instanceof PageAnswer && (result.options.status ?? 200) >= 400) return result;
  limits.loginAddress.giveBack(network);
  limits.loginAccount.forget(account);
  return result;
}

/** Sets the headers of the rate limit. Throws if the limit is exceeded. */
function enforce(limits: Limits, verdict: Verdict, what: string, reply: FastifyReply): void {
  const secondsLeft = limits.secondsLeft(verdict);
  reply.header('x-ratelimit-limit', verdict.limit);
  reply.header('x-ratelimit-remaining', verdict.remaining);
  reply.header('x-ratelimit-reset', Math.ceil(Date.now() / 1000 + secondsLeft));
  if (!verdict.isAllowed) throw rateLimited(secondsLeft, `${verdict.limit} ${what} in ${verdict.windowSeconds} s`);
}
