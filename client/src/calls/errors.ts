/** What a call can throw: the server refused it, there was no response, or something else than the server responded. */
import type { ErrorCode, ErrorFields } from './types.ts';

/** A request, for the texts of errors. */
export interface RequestName {
  readonly method: string;
  readonly path: string;
}

export interface Refusal {
  readonly request: RequestName;
  /** The HTTP status. */
  readonly status: number;
  readonly code: string;
  /** The server's text for people. */
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | undefined;
}

/** The server refused the request. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ApiError';
  readonly request: RequestName;
  /** The HTTP status. */
  readonly status: number;
  /** Newer servers can send codes that `ErrorCode` does not list. */
  readonly code: Code;
  /** The other fields of the response. Each code has its own. */
  readonly fields: ErrorFields[Code];
  /** The seconds after which the server accepts the request again, if it said so (429, 503). */
  readonly retryAfter: number | undefined;

  constructor({ request, status, code, message, fields, retryAfter }: Refusal) {
    super(message);
    this.request = request;
    this.status = status;
    this.retryAfter = retryAfter;
    // The contract says which fields belong to which code.
    this.code = code as Code;
    this.fields = fields as ErrorFields[Code];
  }
}

/** Why there was no response. */
export type NetworkFailure = 'offline' | 'unreachable' | 'timeout' | 'interrupted';

/** There was no response, or only a part of one. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly request: RequestName;
  /**
   * `offline`: this device has no network. `unreachable`: nothing accepts connections there. `timeout`: the response took
   * too long. `interrupted`: any other failure of the connection.
   */
  readonly failure: NetworkFailure;
  /** Whether the server possibly received the request and executed it. */
  readonly isOutcomeUnknown: boolean;

  constructor(request: RequestName, failure: NetworkFailure, cause: unknown) {
    super(`${request.method} ${request.path}: ${NETWORK_FAILURES[failure]}`, { cause });
    this.request = request;
    this.failure = failure;
    this.isOutcomeUnknown = failure === 'timeout' || failure === 'interrupted';
  }
}

const NETWORK_FAILURES: Readonly<Record<NetworkFailure, string>> = {
  offline: 'This device is offline',
  unreachable: 'The server is not reachable',
  timeout: 'The server did not respond in time',
  interrupted: 'The connection to the server failed',
};

/** Something else than the server responded, for example a proxy with a page about its own failure. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  readonly request: RequestName;
  readonly status: number;
  readonly contentType: string;
  /** The first characters of the response. */
  readonly excerpt: string;
  /** The seconds of the header `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(request: RequestName, response: Response, text: string) {
    super(`${request.method} ${request.path}: status ${response.status} without a response of the API`);
    this.request = request;
    this.status = response.status;
    this.contentType = response.headers.get('content-type') ?? '';
    this.excerpt = text.slice(0, 200);
    this.retryAfter = retryAfterOf(response.headers);
  }

  /** Whether the server possibly executed the request. A gateway does not know what happened behind it. */
  get isOutcomeUnknown(): boolean {
    return this.status < 300 || this.status >= 500;
  }
}

/**
 * Whether the server refused a request with one of these codes, or with any code.
 *
 * @example
 * try {
 *   await addReaction(connection, { message_id: messageId, emoji_name: 'tada' });
 * } catch (error) {
 *   if (isApiError(error, 'RATE_LIMIT_HIT')) console.log('Wait for', error.fields['retry-after'], 'seconds.');
 *   else throw error;
 * }
 */
export function isApiError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError<Code> {
  return error instanceof ApiError && (codes.length === 0 || (codes as readonly string[]).includes(error.code));
}

const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Whether the same request can succeed later without a change. It says nothing about whether the server executed it.
 *
 * @example
 * try {
 *   await getUsers(connection);
 * } catch (error) {
 *   if (isTemporary(error)) console.log('Try again later.');
 *   else throw error;
 * }
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof NetworkError) return true;
  if (error instanceof ApiError || error instanceof UnexpectedAnswerError) return TEMPORARY_STATUSES.has(error.status);
  return false;
}

/**
 * Whether the server possibly executed a request that failed: `OUTCOME_UNKNOWN`, a failure of the server, or a lost response. Then look
 * before you send it again, unless the request has the same effect once and twice.
 *
 * @example
 * try {
 *   await sendMessage(connection, { type: 'direct', to: [userId], content: 'Are you there?' });
 * } catch (error) {
 *   if (isOutcomeUnknown(error)) console.log('Look for the message before you send it again.');
 *   else throw error;
 * }
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof UnexpectedAnswerError) return error.isOutcomeUnknown;
  return error instanceof ApiError && error.status >= 500;
}

/** The seconds of a `Retry-After` header: a number, or the time until a date. Undefined without one. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
