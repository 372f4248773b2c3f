/**
 * Browsers send cookies with requests that other sites cause. So a write with a session, and each form of our pages, must come from a page
 * of ours (`Origin`, `Sec-Fetch-Site`). It must also contain a token that only such a page can read: in the header `X-CSRFToken` or the
 * field `csrfmiddlewaretoken`, as clients in browsers do.
 */
import { timingSafeEqual } from 'node:crypto';
import { csrfFailed } from '@heddle/api/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { Fields } from '../bodies/url-encoded.ts';
import type { RequestCookies } from './cookies.ts';

export const CSRF_FIELD = 'csrfmiddlewaretoken';

export interface WriteProof {
  readonly cookies: RequestCookies;
  /** The fields of the body. The token can be one of them. */
  readonly fields: Fields | undefined;
  /** Clients reach the server by HTTPS. */
  readonly isSecure: boolean;
  /**
   * The body consists of bytes. A form of another site cannot send it, and a script must ask first; the response forbids cookies. So a
   * request that the browser declares as same-origin needs no token.
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

/** Undefined if the client does not say. All current browsers say it with writes. */
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
