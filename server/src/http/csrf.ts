/**
 * Browsers send cookies along with whatever any site makes them send. So what writes by a session, and each form of a page of ours, must
 * come from a page of ours (`Origin`, `Sec-Fetch-Site`), and must send back a token that only such a page can have read: in the header
 * `X-CSRFToken` or the field `csrfmiddlewaretoken`, as clients in browsers do.
 */
import { timingSafeEqual } from 'node:crypto';
import { csrfFailed } from '@heddle/api/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { RequestCookies } from './cookies.ts';
import type { Fields } from './parameters.ts';

export const CSRF_FIELD = 'csrfmiddlewaretoken';

export interface WriteProof {
  readonly cookies: RequestCookies;
  /** What came in the body, of which the token may be a field. */
  readonly fields: Fields | undefined;
  /** Clients reach the server by HTTPS. */
  readonly isSecure: boolean;
  /**
   * The body is of bytes. No form of another site's sends such a body, and no script without asking first, which is answered that it may
   * not with cookies; so it will do that the browser says that the request is from here.
   */
  readonly isBytes: boolean;
}

/** @throws ApiError `CSRF_FAILED` */
export function checkWrite(request: FastifyRequest, { cookies, fields, isSecure, isBytes }: WriteProof): void {
  const isOurs = comesFromHere(request, isSecure);
  if (isOurs === false) throw csrfFailed('Origin checking failed.');
  if (isBytes && isOurs === true) return;
  const expected = cookies.expectedCsrf;
  if (expected === undefined) throw csrfFailed('CSRF cookie not set.');
  const { 'x-csrftoken': header } = request.headers;
  const field = fields?.[CSRF_FIELD];
  const given = (Array.isArray(header) ? header.at(-1) : header) ?? (Array.isArray(field) ? field.at(-1) : field);
  if (given === undefined) throw csrfFailed('CSRF token missing.');
  if (!isEqual(given, expected)) throw csrfFailed('CSRF token incorrect.');
}

/** Undefined where the client does not say, which no browser of today leaves out of a request that writes. */
function comesFromHere({ headers, host }: FastifyRequest, isSecure: boolean): boolean | undefined {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return undefined;
  const from = URL.parse(origin);
  if (from === null || (isSecure && from.protocol !== 'https:')) return false;
  return from.host === URL.parse(`${from.protocol}//${host}`)?.host;
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
