/** The request that handlers see, based on Fastify's. Values that few handlers need are computed when they are read. */
import type { Endpoint, Parameters } from '@heddle/api/contract.ts';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { acceptedLanguages } from './accept-language.ts';
import type { Admission } from './admission.ts';
import { type CookieRules, RequestCookies } from './cookies.ts';
import { clientName } from './user-agent.ts';

/** The path that can be opened again, as it was sent. Undefined for forms. */
export function openedPath({ method, raw }: Pick<FastifyRequest, 'method' | 'raw'>): string | undefined {
  return method === 'GET' ? raw.url : undefined;
}

export class AdmittedRequest<Organization, Caller> {
  readonly parameters: Parameters<Endpoint>;
  readonly body: unknown;
  readonly organization: Organization;
  readonly caller: Caller | undefined;
  readonly session: string | undefined;
  readonly #clientParameter: string | readonly string[] | undefined;
  readonly #request: FastifyRequest;
  readonly #log: FastifyBaseLogger;
  #ownLog: FastifyBaseLogger | undefined;
  readonly #cookieRules: CookieRules | undefined;
  #cookies: RequestCookies | undefined;

  constructor(
    request: FastifyRequest,
    log: FastifyBaseLogger,
    admission: Admission<Organization, Caller>,
    parameters: Parameters<Endpoint>,
    clientParameter: string | readonly string[] | undefined,
    body: unknown,
    cookieRules: CookieRules | undefined,
  ) {
    this.#cookieRules = cookieRules;
    this.#request = request;
    this.#log = log;
    this.parameters = parameters;
    this.body = body;
    this.organization = admission.organization;
    this.caller = admission.caller;
    this.session = admission.session;
    this.#clientParameter = clientParameter;
  }

  get begunAt(): number {
    return this.#request.timeSpent?.begunAt ?? 0;
  }

  get client(): string {
    return clientName(this.#clientParameter, this.#request.headers['user-agent']);
  }

  get userAgent(): string | undefined {
    return this.#request.headers['user-agent'];
  }

  get languages(): readonly string[] {
    return acceptedLanguages(this.#request.headers['accept-language']);
  }

  get isFromAnotherSite(): boolean {
    const { 'sec-fetch-site': site } = this.#request.headers;
    return site === 'cross-site' || site === 'same-site';
  }

  get openedPath(): string | undefined {
    return openedPath(this.#request);
  }

  get cookies(): RequestCookies {
    if (this.#cookieRules === undefined) throw new Error('this server has no cookies');
    this.#cookies ??= new RequestCookies(this.#cookieRules, this.#request.headers.cookie);
    return this.#cookies;
  }

  /** The `Set-Cookie` headers of the response. */
  get newCookies(): readonly string[] {
    return this.#cookies?.changes ?? [];
  }

  get id(): string {
    return this.#request.id;
  }

  get log(): FastifyBaseLogger {
    this.#ownLog ??= this.#log.child({ reqId: this.id });
    return this.#ownLog;
  }

  get remoteAddress(): string {
    return this.#request.ip;
  }
}
