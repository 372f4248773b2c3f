/**
 * How requests authenticate. Programs use HTTP Basic authentication: the account's API email is the user name, its API key the password.
 * Browsers have a session, with its token in a cookie. The path decides which of them a request may use:
 *
 * - Under `/api/v1`: credentials only. So no page of another site can use the API with the cookies of its visitors.
 * - The same endpoints under `/json`: the session only.
 * - Some endpoints have the same addresses for browsers and programs: files, resumable uploads, pages. They declare `session: true` in the
 *   contract. Credentials take precedence there over the session.
 */
import type { IncomingMessage } from 'node:http';
import { apiPrefix, type Endpoint } from '@heddle/api/contract.ts';
import { unauthorized } from '@heddle/api/errors.ts';

/** The `WWW-Authenticate` header of a 401. Browsers show a password dialog if it says `Basic`. */
const challenge = 'Basic realm="zulip"';
const sessionChallenge = 'Session realm="zulip"';

/** The path of the API for browsers. */
const jsonPrefix = '/json/';

/** Requests that came under `/json`. */
const underJson = new WeakSet<IncomingMessage>();

/** The path that the router sees: `/json/…` is the same interface, for sessions. */
export function routedUrl(request: IncomingMessage): string {
  const { url = '' } = request;
  if (!url.startsWith(jsonPrefix)) return url;
  underJson.add(request);
  return `${apiPrefix}/${url.slice(jsonPrefix.length)}`;
}

/** A page that sends requests (`Sec-Fetch-Site` is set by the browser) shows errors itself. The browser's dialog would not help. */
export function challengeFor(request: IncomingMessage): string {
  const isOfBrowser = underJson.has(request) || request.headers['sec-fetch-site'] !== undefined;
  return isOfBrowser ? sessionChallenge : challenge;
}

/** What a request may authenticate with. */
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

/** Headers in memory, each about 200 bytes. Clients send theirs with every request. */
const MAX_REMEMBERED_HEADERS = 20_000;
/** Characters. An address and a key are shorter. Anyone can send longer headers, of up to 32 KB. */
const MAX_REMEMBERED_HEADER_LENGTH = 600;
/** What well-formed headers contain, valid or not. */
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
    if (header.length <= MAX_REMEMBERED_HEADER_LENGTH) {
      if (remembered.size >= MAX_REMEMBERED_HEADERS) remembered.clear();
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
  // Neither part can contain a colon. The database accepts no null byte.
  if (colon < 0 || decoded.includes(':', colon + 1) || decoded.includes('\0')) throw malformed();
  return { email: decoded.slice(0, colon), apiKey: decoded.slice(colon + 1) };
}

function malformed(): Error {
  return unauthorized('Invalid authorization header for basic auth');
}
