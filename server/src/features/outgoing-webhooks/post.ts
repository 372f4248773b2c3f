/** One request to an unknown server, with bounds that hold whatever the server does. */
import type { IncomingMessage } from 'node:http';
import { delivering } from '../../measures.ts';
import { ForbiddenAddressError } from '../../outbound/networks.ts';
import { type Reach, sendOutbound } from '../../outbound/request.ts';
import { SERVER_VERSION } from '../../version.ts';

/** Why there is no response: timeout, too large, not reachable, or not allowed. `stopped`: this process stops. */
export type PostProblem = 'timeout' | 'too-large' | 'unreachable' | 'forbidden' | 'stopped';

export class PostError extends Error {
  override readonly name = 'PostError';
  readonly problem: PostProblem;

  constructor(problem: PostProblem) {
    super(`no answer: ${problem}`);
    this.problem = problem;
  }
}

export interface Posting {
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
}

export interface PostedAnswer {
  readonly status: number;
  readonly text: string;
}

/** The size limit of a response in bytes. A message has 10,000 characters, each up to twelve bytes of JSON. */
const MAX_RESPONSE_BYTES = 256 * 1024;

export interface PosterOptions extends Reach {
  /** From the first name lookup to the end of the response. */
  readonly timeoutMilliseconds: number;
}

export class Poster {
  readonly #options: PosterOptions;

  constructor(options: PosterOptions) {
    this.#options = options;
  }

  /**
   * A redirect is a response like any other and is never followed.
   * @param stopping aborted when this process can wait no longer
   * @throws PostError
   */
  post(posting: Posting, stopping: AbortSignal): Promise<PostedAnswer> {
    return delivering(
      'webhook',
      () => this.#post(posting, stopping),
      ({ status }) => status < 400,
    );
  }

  async #post(posting: Posting, stopping: AbortSignal): Promise<PostedAnswer> {
    const deadline = AbortSignal.timeout(this.#options.timeoutMilliseconds);
    try {
      const response = await this.#send(posting, AbortSignal.any([deadline, stopping]));
      return { status: response.statusCode ?? 0, text: await readBounded(response) };
    } catch (error) {
      if (error instanceof PostError) throw error;
      if (stopping.aborted) throw new PostError('stopped');
      if (deadline.aborted) throw new PostError('timeout');
      throw new PostError(error instanceof ForbiddenAddressError ? 'forbidden' : 'unreachable');
    }
  }

  #send({ url, contentType, body }: Posting, signal: AbortSignal): Promise<IncomingMessage> {
    const bytes = Buffer.from(body);
    const headers = {
      'content-type': contentType,
      'content-length': bytes.length,
      'user-agent': `ZulipOutgoingWebhook/${SERVER_VERSION}`,
      accept: 'application/json, */*;q=0.5',
    };
    return sendOutbound(this.#options, { method: 'POST', url: new URL(url), headers, body: bytes, signal });
  }
}

async function readBounded(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > MAX_RESPONSE_BYTES) throw new PostError('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
