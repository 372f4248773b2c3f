/** The API of a BigBlueButton server (https://docs.bigbluebutton.org/development/api/). */
import { createHash } from 'node:crypto';
import { badRequest } from '@heddle/api/errors.ts';
import { Parser } from 'htmlparser2';
import type { Logger } from 'pino';
import { timeoutOf } from '../../config/timeout-factor.ts';
import type { Config } from '../../config.ts';
import { msg } from '../../languages/language.ts';
import type { Meeting } from './links.ts';

const TIMEOUT_MS = timeoutOf(5000);
const MAX_RESPONSE_BYTES = 64 * 1024;

type Query = Readonly<Record<string, string>>;

export class BigBlueButton {
  /** Ends with a slash. */
  readonly #url: string;
  readonly #secret: string;
  readonly #log: Logger;

  private constructor(url: string, secret: string, log: Logger) {
    this.#url = url;
    this.#secret = secret;
    this.#log = log;
  }

  /** Undefined where the operator has configured none. */
  static of({ config, log }: { readonly config: Config; readonly log: Logger }): BigBlueButton | undefined {
    const { bigBlueButtonUrl, bigBlueButtonSecret } = config;
    if (bigBlueButtonUrl === null || bigBlueButtonSecret === null) return undefined;
    return new BigBlueButton(bigBlueButtonUrl, bigBlueButtonSecret, log);
  }

  /**
   * Creates the meeting. The server responds alike if the meeting exists already.
   *
   * @returns the time of its creation, in the form that the server gives
   *
   * @throws ApiError `BAD_REQUEST`
   */
  async create({ id, name, isVoiceOnly }: Meeting): Promise<string> {
    const query = { meetingID: id, name, lockSettingsDisableCam: String(isVoiceOnly) };
    const text = await this.#get(this.#call('create', query));
    const field = fieldsOf(text);
    if (field('messageKey') === 'checksumError')
      throw badRequest(msg('Error authenticating to the BigBlueButton server.'));
    const createdAt = field('createTime');
    if (field('returncode') !== 'SUCCESS' || !/^\d{1,20}$/.test(createdAt)) {
      throw badRequest(msg('BigBlueButton server returned an unexpected error.'));
    }
    return createdAt;
  }

  /** The address at which a browser joins the meeting. */
  joinUrl({ id }: Meeting, createdAt: string, fullName: string, role: 'MODERATOR' | 'VIEWER'): string {
    return this.#call('join', { meetingID: id, role, fullName, createTime: createdAt });
  }

  #call(name: 'create' | 'join', query: Query): string {
    const written = Object.entries(query)
      .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
      .join('&');
    const checksum = createHash('sha256').update(`${name}${written}${this.#secret}`).digest('hex');
    return `${this.#url}api/${name}?${written}&checksum=${checksum}`;
  }

  async #get(url: string): Promise<string> {
    try {
      // The address holds a checksum for this server alone.
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) throw new Error(`the server responded with ${response.status}`);
      return await textOf(response);
    } catch (error) {
      this.#log.warn({ err: error }, 'the BigBlueButton server cannot be reached');
      throw badRequest(msg('Error connecting to the BigBlueButton server.'));
    }
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Reads `<response><returncode>…</returncode>…</response>`: the texts of the elements within the first. */
function fieldsOf(xml: string): (name: string) => string {
  const texts = new Map<string, string>();
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentagname: (name) => open.push(name),
      onclosetag: () => open.pop(),
      ontext: (text) => {
        const [, name] = open;
        if (open.length === 2 && name !== undefined) texts.set(name, (texts.get(name) ?? '') + text);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return (name) => texts.get(name) ?? '';
}
