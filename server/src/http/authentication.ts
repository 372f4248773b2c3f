/**
 * How requests say whose they are. Programs use HTTP Basic authentication: the account's API email is the user name, its API key the
 * password. Browsers have a session, whose token is in a cookie. Which of the two a request may use follows from its path:
 *
 * - under `/api/v1` credentials alone, so that no page of another site can use the API with the cookies of who looks at it;
 * - the same endpoints under `/json` take the session alone;
 * - endpoints that browsers ask for by addresses that programs have too (files, resumable uploads, pages) say `session: true` in the
 *   contract: they take credentials where there are any, and otherwise the session.
 */
import type { IncomingMessage } from 'node:http';
import { apiPrefix, type Endpoint } from '@heddle/api/contract.ts';
import { unauthorized } from '@heddle/api/errors.ts';

/** What a 401 says in `WWW-Authenticate`; browsers ask their user for a name and a password where it says `Basic`. */
const challenge = 'Basic realm="zulip"';
const sessionChallenge = 'Session realm="zulip"';

/** Where browsers find the API. */
const jsonPrefix = '/json/';

/** Requests that came under `/json`. */
const underJson = new WeakSet<IncomingMessage>();

/** The path that the request is routed by: `/json/…` is the same interface, for sessions. */
export function routedUrl(request: IncomingMessage): string {
  const { url = '' } = request;
  if (!url.startsWith(jsonPrefix)) return url;
  underJson.add(request);
  return `${apiPrefix}/${url.slice(jsonPrefix.length)}`;
}

export function challengeFor(request: IncomingMessage): string {
  return underJson.has(request) ? sessionChallenge : challenge;
}

/** What a request may say whose it is with. */
export type Proof = 'credentials' | 'session' | 'either';

export function proofOf(request: IncomingMessage, { session }: Endpoint): Proof {
  if (underJson.has(request)) return 'session';
  return session ? 'either' : 'credentials';
}

export interface Credentials {
  readonly email: string;
  readonly apiKey: string;
}

const basicHeader = /^\s*(\S+)\s+(\S+)\s*$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Headers in memory; each is some 200 bytes. Clients send theirs with every request. */
const maximumRemembered = 20_000;
/** Characters: an address and a key have fewer. Anybody can send what is longer, and a header can be 32 KB. */
const longestRemembered = 600;
/** What well-formed headers say, whether or not it is right. */
const remembered = new Map<string, Credentials>();

/**
 * @param header the `Authorization` header
 * @returns `undefined` if there is none
 * @throws ApiError `UNAUTHORIZED` for anything but well-formed Basic credentials
 */
export function credentialsOf(header: string | undefined): Credentials | undefined {
  if (header === undefined) return undefined;
  let credentials = remembered.get(header);
  if (credentials === undefined) {
    credentials = read(header);
    if (header.length <= longestRemembered) {
      if (remembered.size >= maximumRemembered) remembered.clear();
      remembered.set(header, credentials);
    }
  }
  return credentials;
}

function read(header: string): Credentials {
  const [, scheme, encoded] = basicHeader.exec(header) ?? [];
  if (scheme !== undefined && scheme.toLowerCase() !== 'basic') {
    throw unauthorized('This endpoint requires HTTP basic authentication.');
  }
  if (encoded === undefined || !base64.test(encoded)) throw malformed();
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  // Neither part can hold a colon; the database could not even be asked for a null byte.
  if (colon < 0 || decoded.includes(':', colon + 1) || decoded.includes('\0')) throw malformed();
  return { email: decoded.slice(0, colon), apiKey: decoded.slice(colon + 1) };
}

function malformed(): Error {
  return unauthorized('Invalid authorization header for basic auth');
}
