/** What happens to a request before its body is read: the organization is found, limits are applied, the caller is known. */
import type { Endpoint } from '@heddle/api/contract.ts';
import { credentialsMissing, rateLimited, unknownOrganization } from '@heddle/api/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageAnswer } from './answers.ts';
import { type Credentials, credentialsOf, proofOf } from './authentication.ts';
import { type CookieRules, RequestCookies } from './cookies.ts';
import type { Limits, Verdict } from './limits.ts';
import { networkOf } from './networks.ts';
import type { Gatekeeper, Route } from './route.ts';

/** Who asks, and where. */
export interface Admission<Organization, Caller> {
  readonly organization: Organization;
  readonly caller: Caller | undefined;
  /** The token of the browser's session, where it is what says who asks. */
  readonly session?: string | undefined;
}

/** Sessions that were right when they were used last, whoever else is at the address: a hundred bytes or two each. */
const rightLately = new Set<string>();
const MOST_REMEMBERED = 20_000;

/** The session's token that the request may use; undefined where there is none, or credentials go before it. */
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
 * Lets a request in, or throws the reason why not: `NONEXISTENT_SUBDOMAIN`, `UNAUTHORIZED`, `RATE_LIMIT_HIT` and what the
 * gatekeeper throws. Right credentials are never refused for what others at the same address did. It waits only for an organization that
 * is not in memory yet, and that is asked of the database within the address's limit.
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
    // The database is asked about each, so those that are not right cost like others that come to nothing, before it is.
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
    // Undefined only for routes whose handlers were typed for it.
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
 * Who asks, once a request is served: while its body was on the way, or others had their turn, the account may have been closed, or got
 * another role.
 * @throws ApiError as `admit` does of credentials
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

/** Hosts are whatever clients send: who names one that is not known counts, before the database is asked. */
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

/** Whether nobody asks for what accounts read: where an organization lets them, spectators do. */
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
 * Runs a login under its limits: each failure counts against the account and against the address, a success takes back
 * what it cost. Attempts count while they run, so that many at once get no further than many in turn.
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
  // A page that says no is no success either.
  if (result instanceof PageAnswer && (result.options.status ?? 200) >= 400) return result;
  limits.loginAddress.giveBack(network);
  limits.loginAccount.forget(account);
  return result;
}

/** Tells the client where it stands, and throws if it has had its share. */
function enforce(limits: Limits, verdict: Verdict, what: string, reply: FastifyReply): void {
  const secondsLeft = limits.secondsLeft(verdict);
  reply.header('x-ratelimit-limit', verdict.limit);
  reply.header('x-ratelimit-remaining', verdict.remaining);
  reply.header('x-ratelimit-reset', Math.ceil(Date.now() / 1000 + secondsLeft));
  if (!verdict.isAllowed) throw rateLimited(secondsLeft, `${verdict.limit} ${what} in ${verdict.windowSeconds} s`);
}
