/**
 * The response to a refused request. Programs get JSON. A person who opens an address in a browser gets a page, or the login page if a
 * login is missing. With a challenge the browser would show its own password dialog, which starts no session.
 */
import { apiPrefix, otherResponseOf } from '@heddle/api/contract.ts';
import type { ApiError } from '@heddle/api/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { page, redirect } from './answers/answers.ts';
import { errorBody } from './answers/envelope.ts';
import { sendPage, sendRedirect } from './pages/serve-page.ts';
import { acceptedLanguages } from './requests/accept-language.ts';
import { openedPath } from './requests/api-request.ts';
import { type CookieRules, RequestCookies } from './requests/cookies.ts';
import { errorHeaders } from './responses/response-pipeline.ts';

/** What decides about the language of a page. */
export interface PagePreferences {
  readonly cookies: { get(name: string): string | undefined };
  readonly languages: readonly string[];
}

export interface RefusalOptions {
  /** The page for people whose request failed. The path is that of the request, if it can be opened again. */
  readonly errorPage?: ((error: ApiError, preferences: PagePreferences, path?: string) => string) | undefined;
  /** The address of the login page that leads to a path afterwards. The path is as the client sent it. */
  readonly loginAddress?: ((path: string) => string) | undefined;
  readonly cookies?: CookieRules;
}

/** For a server without cookies: those that a browser sent have no meaning here. */
const NO_COOKIES: CookieRules = { isSecure: false, csrfKey: Buffer.alloc(0) };

export function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  { errorPage, loginAddress, cookies }: RefusalOptions,
): FastifyReply {
  if (errorPage === undefined || !wantsPage(request)) return sendError(request, reply, error);
  if (loginAddress !== undefined && error.code === 'UNAUTHORIZED' && isOpenedInBrowser(request)) {
    return sendRedirect(reply, redirect(loginAddress(request.raw.url ?? '')));
  }
  reply.headers(errorHeaders(request.raw, error));
  const preferences = {
    cookies: new RequestCookies(cookies ?? NO_COOKIES, request.headers.cookie),
    languages: acceptedLanguages(request.headers['accept-language']),
  };
  return sendPage(reply, page(errorPage(error, preferences, openedPath(request)), { status: error.status }));
}

/** `*` accepts everything. Programs send it, so it does not count here. */
function wantsPage(request: FastifyRequest): boolean {
  const { headers, routeOptions } = request;
  if (!(headers.accept?.includes('text/html') ?? false)) return false;
  const { endpoint } = routeOptions.config;
  if (endpoint !== undefined && otherResponseOf(endpoint)?.kind === 'page') return true;
  return isOpenedInBrowser(request);
}

/** Whether a link can lead to it: a file, a picture, or an unknown path. The API's own addresses are for programs. */
function isOpenedInBrowser({ method, headers, raw, routeOptions }: FastifyRequest): boolean {
  if (headers.authorization !== undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  const { endpoint } = routeOptions.config;
  if (endpoint !== undefined) return endpoint.outsideApi === true;
  return !(raw.url ?? '').startsWith(`${apiPrefix}/`);
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  reply.headers(errorHeaders(request.raw, error));
  return reply.code(error.status).header('content-type', 'application/json').send(errorBody(error));
}
