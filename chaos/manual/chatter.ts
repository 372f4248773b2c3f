/**
 * A program that chats through the proxy of a cluster: it sends numbered messages, and sends the next one after a pause if one fails. Its settings are the
 * JSON of its argument. It prints a line of JSON whenever it learns something, and its report when its input ends.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface ChatterSettings {
  readonly url: string;
  readonly email: string;
  readonly password: string;
  readonly channel: string;
  /** Where the person writes. */
  readonly wordsTopic: string;
}

/** What it prints while it runs. */
export interface Progress {
  readonly channelId: number;
  readonly acknowledged: number;
  readonly failed: number;
}

export interface ChatReport extends Progress {
  /** What the topic of the person contains. */
  readonly words: readonly string[];
  readonly registrations: number;
  /** Sent messages that are not exactly once in the history or in the events, with the reason. */
  readonly wrong: readonly string[];
}

const TOPIC = 'numbers';
/** An account may make 200 requests in a minute. */
const PAUSE_MS = 600;
const SEND_TIMEOUT_MS = 5_000;
/** Longer than a poll is held. */
const POLL_TIMEOUT_MS = 90_000;
const RETRY_MS = 500;
const MAX_HISTORY_MESSAGES = 5_000;

type Fields = Readonly<Record<string, string>>;
type Body = Record<string, unknown>;

class Chatter {
  readonly #settings: ChatterSettings;
  #key = '';
  #queue = '';
  #lastEvent = -1;
  #registrations = 0;
  #channelId = 0;
  #isOver = false;
  /** Ends the poll whose connection leads to a machine that is gone. */
  #poll = new AbortController();
  readonly #received: string[] = [];
  readonly #acknowledged: string[] = [];
  readonly #refused: string[] = [];
  readonly #unknown: string[] = [];

  constructor(settings: ChatterSettings) {
    this.#settings = settings;
  }

  async run(): Promise<ChatReport> {
    const { email, password, channel, wordsTopic } = this.#settings;
    const { api_key: key } = await this.#ask('POST', '/fetch_api_key', { username: email, password });
    this.#key = String(key);
    await this.#ask('POST', '/users/me/subscriptions', { subscriptions: JSON.stringify([{ name: channel }]) });
    const { stream_id: id } = await this.#ask('GET', '/get_stream_id', { stream: channel });
    this.#channelId = Number(id);
    await this.#ask('POST', '/messages', { type: 'channel', to: channel, topic: wordsTopic, content: 'hello' });
    await this.#register();
    process.stdin.resume();
    const over = once(process.stdin, 'end').then(() => {
      this.#isOver = true;
    });
    const polling = this.#follow();
    await this.#talk();
    await over;
    const report = await this.#report();
    this.#poll.abort();
    await polling;
    return report;
  }

  async #register(): Promise<void> {
    const { queue_id: queue, last_event_id: last } = await this.#ask('POST', '/register', {
      event_types: JSON.stringify(['message']),
    });
    this.#queue = String(queue);
    this.#lastEvent = Number(last);
    this.#registrations += 1;
  }

  async #talk(): Promise<void> {
    for (let number = 1; !this.#isOver; number += 1) {
      const content = `message ${number}`;
      const fields = { type: 'channel', to: this.#settings.channel, topic: TOPIC, content };
      await this.#ask('POST', '/messages', fields, SEND_TIMEOUT_MS).then(
        () => this.#acknowledged.push(content),
        (error: unknown) => {
          // Without a code, it is from the proxy, which may have passed the message on.
          const isRefused = error instanceof Refusal && !['', 'OUTCOME_UNKNOWN'].includes(error.code);
          (isRefused ? this.#refused : this.#unknown).push(content);
          if (!(error instanceof Refusal)) this.#poll.abort();
        },
      );
      process.stdout.write(`${JSON.stringify(this.#progress)}\n`);
      await delay(PAUSE_MS);
    }
  }

  async #follow(): Promise<void> {
    for (;;) {
      const fields = { queue_id: this.#queue, last_event_id: String(this.#lastEvent) };
      try {
        const { events } = await this.#ask('GET', '/events', fields, POLL_TIMEOUT_MS, this.#poll.signal);
        for (const event of events as { id: number; message?: { content: string; subject: string } }[]) {
          this.#lastEvent = event.id;
          if (event.message?.subject === TOPIC) this.#received.push(event.message.content.replace(/<[^>]*>/g, ''));
        }
      } catch (error) {
        if (this.#isOver && this.#poll.signal.aborted) return;
        if (this.#poll.signal.aborted) this.#poll = new AbortController();
        if (error instanceof Refusal && error.code === 'BAD_EVENT_QUEUE_ID')
          await this.#register().catch(() => undefined);
        await delay(RETRY_MS);
      }
    }
  }

  get #progress(): Progress {
    const { length: acknowledged } = this.#acknowledged;
    return { channelId: this.#channelId, acknowledged, failed: this.#refused.length + this.#unknown.length };
  }

  async #report(): Promise<ChatReport> {
    const history = await this.#history(TOPIC);
    const last = this.#acknowledged.at(-1) ?? '';
    // Events of the last messages may still be on their way.
    for (let tries = 0; !this.#received.includes(last) && tries < 100; tries += 1) await delay(RETRY_MS);
    const wrong: string[] = [];
    for (const [name, list] of [
      ['history', history],
      ['events', this.#received],
    ] as const) {
      const countOf = (content: string) => list.filter((each) => each === content).length;
      const check = (contents: readonly string[], outcome: string, isRight: (count: number) => boolean) => {
        for (const content of contents)
          if (!isRight(countOf(content))) wrong.push(`${outcome} ${content}: ${countOf(content)} times in the ${name}`);
      };
      check(this.#acknowledged, 'acknowledged', (count) => count === 1);
      check(this.#refused, 'refused', (count) => count === 0);
      check(this.#unknown, 'unknown', (count) => count <= 1);
    }
    const words = await this.#history(this.#settings.wordsTopic);
    return { ...this.#progress, registrations: this.#registrations, wrong, words };
  }

  async #history(topic: string): Promise<readonly string[]> {
    const narrow = JSON.stringify([
      { operator: 'channel', operand: this.#settings.channel },
      { operator: 'topic', operand: topic },
    ]);
    const range = { anchor: 'newest', num_before: String(MAX_HISTORY_MESSAGES), num_after: '0' };
    const { messages } = await this.#ask('GET', '/messages', { narrow, ...range, apply_markdown: 'false' });
    return (messages as { content: string }[]).map(({ content }) => content);
  }

  async #ask(
    method: string,
    path: string,
    fields: Fields,
    timeoutMs = SEND_TIMEOUT_MS,
    more?: AbortSignal,
  ): Promise<Body> {
    const { url, email } = this.#settings;
    const form = new URLSearchParams(fields);
    const isGet = method === 'GET';
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${url}/api/v1${path}${isGet ? `?${form}` : ''}`, {
      method,
      signal: more === undefined ? timeout : AbortSignal.any([timeout, more]),
      ...(!isGet && { body: form }),
      headers:
        this.#key === '' ? {} : { authorization: `Basic ${Buffer.from(`${email}:${this.#key}`).toString('base64')}` },
    });
    const text = await response.text();
    const body: Body = text.startsWith('{') ? JSON.parse(text) : {};
    if (response.status !== 200) throw new Refusal(response.status, String(body.code ?? ''), text);
    return body;
  }
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, text: string) {
    super(`status ${status}: ${text}`);
    this.status = status;
    this.code = code;
  }
}

const report = await new Chatter(JSON.parse(process.argv[2] ?? '')).run();
process.stdout.write(`${JSON.stringify(report)}\n`);
