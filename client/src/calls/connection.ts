/** A connection to one organization of one server, as one account. */
import { bodyOf, queryOf } from './encoding.ts';
import { ApiError, NetworkError, type RequestName, retryAfterOf, UnexpectedAnswerError } from './errors.ts';
import {
  type Answer,
  type Caller,
  type CallOptions,
  type Fields,
  fillPath,
  type Operation,
  type Row,
} from './operation.ts';
import type { ErrorCode } from './types.ts';
import { pause } from './waiting.ts';

/** The email address for the API and the API key of an account. */
export interface KeyCredentials {
  readonly email: string;
  readonly apiKey: string;
}

/** The session of a browser, whose cookies the browser sends. */
export interface SessionCredentials {
  /** The token that writes must contain, or undefined without a session. `browserSession` reads the cookie. */
  readonly session: () => string | undefined;
}

export interface ConnectionOptions {
  /** The URL of the organization, for example `https://chat.example.com`. */
  readonly url: string | URL;
  /** Without credentials, only public operations and what spectators may see. */
  readonly credentials?: KeyCredentials | SessionCredentials;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch;
  /** The name of the program, which messages show in their field `client`. At most 30 characters. */
  readonly clientName?: string;
  /** Milliseconds until a call without its own timeout fails. 0 means never. Default: two minutes, longer than a poll. */
  readonly timeout?: number;
}

/** A request that is not an operation, for example of a file. */
export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: URLSearchParams | FormData | Blob | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the response must have begun and ended. 0 means never. */
  readonly timeout?: number | undefined;
}

/** A response with its body. */
export interface RawAnswer {
  readonly response: Response;
  readonly text: string;
}

/** Servers hold polls for up to 90 seconds. */
const DEFAULT_TIMEOUT_MS = 120_000;
/** A file can take long. The server gives it this time. */
const FILE_TIMEOUT_MS = 30 * 60_000;
/** A longer limit is an error also for callers that retry. */
const MAX_RETRY_AFTER_SECONDS = 120;

/**
 * The connection of one account to one organization. Without `credentials`, it can call public operations.
 *
 * @example
 * const connection = new Connection({ url, credentials: { email, apiKey }, clientName: 'LunchBot' });
 */
export class Connection implements Caller {
  /** The origin of the organization, without a slash at the end. */
  readonly url: string;
  readonly #credentials: KeyCredentials | SessionCredentials | undefined;
  readonly #authorization: string | undefined;
  readonly #fetch: typeof fetch;
  readonly #clientName: string | undefined;
  readonly #timeout: number;

  /** @throws TypeError if `url` is not a URL */
  constructor({ url, credentials, fetch: ownFetch, clientName, timeout = DEFAULT_TIMEOUT_MS }: ConnectionOptions) {
    this.url = new URL(url).origin;
    this.#credentials = credentials;
    this.#authorization = credentials !== undefined && 'apiKey' in credentials ? basic(credentials) : undefined;
    // Some browsers require that `fetch` is called without an object.
    this.#fetch = ownFetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#clientName = clientName;
    this.#timeout = timeout;
  }

  /** Whether requests carry the session of a browser. */
  get hasSession(): boolean {
    return this.#credentials !== undefined && 'session' in this.#credentials;
  }

  /**
   * Calls an operation. The operations are also functions: `sendMessage(connection, parameters, options)`.
   *
   * @throws ApiError, NetworkError, UnexpectedAnswerError, the reason of an aborted signal
   */
  async call<Parameters extends object, Response extends object, Code extends ErrorCode>(
    operation: Operation<Parameters, Response, Code>,
    parameters?: Parameters,
    { signal, timeout, retries = 0 }: CallOptions = {},
  ): Promise<Answer<Response>> {
    for (let left = retries; ; left -= 1) {
      try {
        return await this.#callOnce(operation, (parameters ?? {}) as Fields, { signal, timeout });
      } catch (error) {
        if (left <= 0 || !(error instanceof ApiError) || error.code !== 'RATE_LIMIT_HIT') throw error;
        const { retryAfter = 1 } = error;
        if (retryAfter > MAX_RETRY_AFTER_SECONDS) throw error;
        await pause(retryAfter * 1000, signal);
      }
    }
  }

  /**
   * Sends any request to this server with the credentials, and reads the body. Any status is a result.
   *
   * @param path begins with a slash
   * @throws NetworkError, the reason of an aborted signal
   */
  async send(path: string, { method = 'GET', headers, body, signal, timeout }: RawRequest = {}): Promise<RawAnswer> {
    return this.#exchange(path, { name: { method, path }, headers, body, signal, timeout }, async (response) => {
      return { response, text: await response.text() };
    });
  }

  /**
   * Fetches a file of this server with the credentials, for example an upload in a message.
   *
   * @param url a path or a URL of this server
   * @throws TypeError for a URL of another server, which must not receive the credentials
   * @throws ApiError, NetworkError, UnexpectedAnswerError, the reason of an aborted signal
   */
  async fetchFile(url: string, options: Pick<CallOptions, 'signal' | 'timeout'> = {}): Promise<Blob> {
    const { origin, pathname, search } = new URL(url, this.url);
    if (origin !== this.url) throw new TypeError(`${url} is not a file of ${this.url}`);
    const name = { method: 'GET', path: pathname };
    const { signal, timeout = FILE_TIMEOUT_MS } = options;
    return this.#exchange(`${pathname}${search}`, { name, signal, timeout }, async (response) => {
      if (response.ok) return response.blob();
      throw failureOf(name, response, await response.text());
    });
  }

  async #callOnce<Response>(
    operation: Row,
    fields: Fields,
    { signal, timeout }: CallOptions,
  ): Promise<Answer<Response>> {
    const { method, path: pattern, takes } = operation;
    const { path, rest } = fillPath(pattern, fields);
    const inQuery = method === 'GET';
    const name = { method, path: pattern };
    const client = this.#clientName;
    const query = inQuery ? queryOf(operation, rest) : '';
    const body = inQuery ? undefined : bodyOf(operation, client === undefined ? rest : { client, ...rest });
    const limit = timeout ?? (takes === 'form' ? undefined : FILE_TIMEOUT_MS);
    const target = `${this.hasSession ? '/json' : '/api/v1'}${path}${query}`;
    return this.#exchange(target, { name, body, signal, timeout: limit }, async (response) => {
      const text = await response.text();
      const answer = response.ok ? parse(text) : undefined;
      if (answer?.result !== 'success') throw failureOf(name, response, text);
      return answer as Answer<Response>;
    });
  }

  /** Sends a request and reads its response. A timeout covers both. */
  async #exchange<Result>(
    target: string,
    request: Omit<RawRequest, 'method'> & { readonly name: RequestName },
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { name, body, signal, timeout = this.#timeout } = request;
    signal?.throwIfAborted();
    const limit = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
    const signals = [signal, limit].filter((one) => one !== undefined);
    // A network that is lost after the request may have lost only the response.
    const wasOffline = isOffline();
    try {
      const response = await this.#fetch(`${this.url}${target}`, {
        method: name.method,
        headers: { ...this.#headers(name.method), ...request.headers },
        credentials: this.hasSession ? 'same-origin' : 'omit',
        ...(body !== undefined && { body }),
        ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
      });
      return await read(response);
    } catch (error) {
      if (error instanceof ApiError || error instanceof UnexpectedAnswerError) throw error;
      if (signal?.aborted) throw signal.reason;
      if (limit?.aborted) throw new NetworkError(name, 'timeout', error);
      throw new NetworkError(
        name,
        wasOffline && isOffline() ? 'offline' : isUnreachable(error) ? 'unreachable' : 'interrupted',
        error,
      );
    }
  }

  #headers(method: string): Readonly<Record<string, string>> {
    if (this.#authorization !== undefined) return { authorization: this.#authorization };
    if (this.#credentials === undefined || !('session' in this.#credentials) || method === 'GET') return {};
    const token = this.#credentials.session();
    return token === undefined ? {} : { 'x-csrftoken': token };
  }
}

/** The error of a response that is not a success. */
export function failureOf(request: RequestName, response: Response, text: string): ApiError | UnexpectedAnswerError {
  const answer = parse(text);
  if (answer?.result !== 'error' || typeof answer.code !== 'string') {
    return new UnexpectedAnswerError(request, response, text);
  }
  const { result: _, msg, code, ...fields } = answer;
  const stated = fields['retry-after'];
  const retryAfter = typeof stated === 'number' ? stated : retryAfterOf(response.headers);
  return new ApiError({ request, status: response.status, code, message: String(msg), fields, retryAfter });
}

/** A JSON object. Undefined for any other text. */
export function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Basic authentication. The bytes of the text are UTF-8. */
function basic({ email, apiKey }: KeyCredentials): string {
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** Browsers know whether there is a network. They possibly say yes without one. */
function isOffline(): boolean {
  return (globalThis as { readonly navigator?: { readonly onLine?: boolean } }).navigator?.onLine === false;
}

/** The errors of Node.js for a server that did not receive the request. Browsers do not say why a request failed. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function isUnreachable(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause && NOT_CONNECTED.has(cause.code);
}
