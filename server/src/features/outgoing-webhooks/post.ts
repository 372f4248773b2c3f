/** One request to a stranger's server, which costs us no more than it may, whatever that does. */
import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP } from 'node:net';
import { SERVER_VERSION } from '../../version.ts';
import { ForbiddenAddressError, isWebPort, type Networks, type Resolve } from './networks.ts';

/**
 * Why there is no answer: it did not come in time, or is too large; nobody could be connected to; or nobody may be. `stopped`: this process
 * stops.
 */
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

/** Bytes of an answer: a message has 10,000 characters, which JSON may write as twelve bytes each. */
const LARGEST_ANSWER = 256 * 1024;

export interface PosterOptions {
  readonly networks: Networks;
  readonly resolve: Resolve;
  /** From the first look for the name to the end of the answer. */
  readonly timeoutMilliseconds: number;
}

export class Poster {
  readonly #options: PosterOptions;

  constructor(options: PosterOptions) {
    this.#options = options;
  }

  /**
   * Redirects are answers like others: nobody is led on.
   * @param stopping aborted when this process can wait no longer
   * @throws PostError
   */
  async post(posting: Posting, stopping: AbortSignal): Promise<PostedAnswer> {
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

  #send({ url: text, contentType, body }: Posting, signal: AbortSignal): Promise<IncomingMessage> {
    const { networks, resolve } = this.#options;
    const url = new URL(text);
    const isEncrypted = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port) || (isEncrypted ? 443 : 80);
    if (!isWebPort(port) || (isIP(host) !== 0 && !networks.allows(host))) throw new ForbiddenAddressError();
    const bytes = Buffer.from(body);
    const answered = Promise.withResolvers<IncomingMessage>();
    const sent = (isEncrypted ? overHttps : overHttp)(url, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        'content-length': bytes.length,
        'user-agent': `ZulipOutgoingWebhook/${SERVER_VERSION}`,
        accept: 'application/json, */*;q=0.5',
      },
      // A connection of its own, which was checked for this request.
      agent: false,
      lookup: networks.lookup(resolve),
      signal,
    });
    sent.on('response', answered.resolve);
    sent.on('error', answered.reject);
    // Who answers by switching to another protocol closes the connection without either.
    sent.on('close', () => answered.reject(new Error('the connection was closed without an answer')));
    sent.end(bytes);
    return answered.promise;
  }
}

async function readBounded(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > LARGEST_ANSWER) throw new PostError('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
