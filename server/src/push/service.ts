/**
 * The client of the push service, which holds the connections to Apple and Google and serves many servers (public
 * reference: "Mobile push notification service", `/api/v1/remotes/push/…`). No request to it takes longer than
 * `RESPONSE_TIMEOUT_MS`.
 */

import { timeoutOf } from '../config/timeout-factor.ts';
import type { Config } from '../config.ts';
import { delivering } from '../measures.ts';
import { SERVER_VERSION } from '../version.ts';

/**
 * The kind of failure: the service cannot be reached, it fails, it does not serve this server, or it refuses the
 * request.
 */
export type PushProblem = 'unreachable' | 'failing' | 'not-serving' | 'refused';

export class PushServiceError extends Error {
  override readonly name = 'PushServiceError';
  readonly problem: PushProblem;
  /** The error code of the service. */
  readonly code: string | null;

  constructor(problem: PushProblem, message: string, code: string | null = null) {
    super(message);
    this.problem = problem;
    this.code = code;
  }
}

/** The timeout from the request to the end of the response, in milliseconds. */
const RESPONSE_TIMEOUT_MS = timeoutOf(10_000);
/** Limits a response, in bytes. It names at most a few hundred devices. */
const MAX_RESPONSE_BYTES = 256 * 1024;

/** Codes after which the operator of this server must act. */
const NOT_SERVING = new Set(['INVALID_ZULIP_SERVER', 'PUSH_NOTIFICATIONS_DISALLOWED', 'MISSING_REMOTE_REALM']);

type Answer = Readonly<Record<string, unknown>>;
type Form = Readonly<Record<string, string | number>>;

export class PushService {
  readonly #url: string;
  readonly #authorization: string;

  private constructor(url: string, id: string, key: string) {
    this.#url = url;
    this.#authorization = `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`;
  }

  /** Undefined if no push service is configured. */
  static of({ pushUrl, pushId, pushKey }: Pick<Config, 'pushUrl' | 'pushId' | 'pushKey'>): PushService | undefined {
    if (pushUrl === null || pushId === null || pushKey === null) return undefined;
    return new PushService(pushUrl, pushId, pushKey);
  }

  /** @throws PushServiceError */
  postForm(endpoint: string, form: Form): Promise<Answer> {
    const fields = Object.entries(form).map(([name, value]) => [name, String(value)]);
    return this.#post(endpoint, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded');
  }

  /**
   * @param json as text
   * @throws PushServiceError
   */
  postJson(endpoint: string, json: string): Promise<Answer> {
    return this.#post(endpoint, json, 'application/json');
  }

  #post(endpoint: string, body: string, contentType: string): Promise<Answer> {
    return delivering('push', () => this.#send(endpoint, body, contentType));
  }

  async #send(endpoint: string, body: string, contentType: string): Promise<Answer> {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    let status: number;
    let text: string;
    try {
      const response = await fetch(`${this.#url}/api/v1/remotes/${endpoint}`, {
        method: 'POST',
        headers: {
          authorization: this.#authorization,
          'content-type': contentType,
          'user-agent': `ZulipServer/${SERVER_VERSION}`,
        },
        body,
        // A redirect would send the key to another address.
        redirect: 'manual',
        signal,
      });
      status = response.status;
      text = await readBounded(response);
    } catch (error) {
      if (error instanceof PushServiceError) throw error;
      throw new PushServiceError('unreachable', `the push service cannot be reached: ${reasonOf(error)}`);
    }
    return answerFrom(status, text);
  }
}

function answerFrom(status: number, text: string): Answer {
  if (status >= 500) throw new PushServiceError('failing', `the push service responded with ${status}`);
  const answer = parsed(text);
  if (status >= 400) {
    const code = typeof answer?.code === 'string' ? answer.code : null;
    const problem = code === null || NOT_SERVING.has(code) || status === 401 ? 'not-serving' : 'refused';
    throw new PushServiceError(problem, `the push service responded with ${status} ${code ?? 'without a code'}`, code);
  }
  if (status !== 200) throw new PushServiceError('not-serving', `the push service responded with ${status}`);
  if (answer === undefined)
    throw new PushServiceError('failing', 'the response of the push service is not a JSON object');
  return answer;
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > MAX_RESPONSE_BYTES)
      throw new PushServiceError('failing', 'the response of the push service is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}

/** The reason of a failed connection, without the content of the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  if (!(cause instanceof Error)) return error.name;
  return 'code' in cause ? String(cause.code) : cause.message;
}
