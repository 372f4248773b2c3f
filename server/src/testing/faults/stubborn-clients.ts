/**
 * Clients that continue through every fault, as real ones do: after a failure they retry at the current URL of the
 * server. They record what they received, so that a test can compare it with the stored state.
 */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises'; // timing: clients pause before they try again
import { type Fields, type TestAnswer, TestClient } from '../clients/client.ts';
import { EventCursor } from '../clients/event-cursor.ts';
import type { Json } from '../clients/json.ts';
import type { Random } from '../random/random.ts';
import { until } from '../server/until.ts';
import type { KillableServer } from './killable-server.ts';

export interface Account {
  readonly userId: number;
  readonly email: string;
  readonly apiKey: string;
}

/** The pause before a retry, in milliseconds, so that a restarted server is not overloaded. */
const PAUSE = 20;

/** One user at a server that stops and restarts. */
export class StubbornClient {
  readonly account: Account;
  readonly server: KillableServer;
  /** The number of responses that the database is unavailable. */
  unavailable = 0;

  constructor(server: KillableServer, account: Account) {
    this.server = server;
    this.account = account;
  }

  /**
   * One attempt. Returns undefined if the result is unknown: the connection broke, or the server could not serve. Any
   * response other than a success or such a 503 fails the test.
   */
  async attempt(method: string, path: string, fields: Fields): Promise<Json | undefined> {
    if (this.server.isOver) throw new Error('the server has gone for good');
    const answer = await this.#answer(method, path, fields);
    if (answer === undefined) return undefined;
    if (answer.status === 200) return answer.body;
    assert.equal(answer.status, 503, `${method} ${path} answered ${JSON.stringify(answer.body)}`);
    assert(['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN'].includes(answer.body.code), answer.body.code);
    this.unavailable += 1;
    return undefined;
  }

  /** Retries until it succeeds. Only for idempotent requests. */
  async insist(method: string, path: string, fields: Fields = {}): Promise<Json> {
    return until(() => this.attempt(method, path, fields), `a successful ${method} ${path}`);
  }

  /** All messages that the account can read and that match the parameters, oldest first. */
  async allMessages(parameters: Fields = {}): Promise<readonly Json[]> {
    const found: Json[] = [];
    for (let isComplete = false; !isComplete; ) {
      const window = { anchor: found.at(-1)?.id ?? 0, include_anchor: false, num_before: 0, num_after: 1000 };
      const body = await this.insist('GET', '/messages', { ...window, apply_markdown: false, ...parameters });
      found.push(...body.messages);
      isComplete = body.found_newest;
    }
    return found;
  }

  async #answer(method: string, path: string, fields: Fields): Promise<TestAnswer | undefined> {
    try {
      const { url } = await this.server.listening;
      const { email, apiKey, userId } = this.account;
      const client = new TestClient({ url, host: new URL(url).host, email, apiKey, userId, name: email });
      return await client.call(method, path, fields);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return undefined;
    }
  }
}

/** The content of an event. */
export interface Received {
  readonly eventId: number;
  readonly type: string;
  readonly messageId: number | undefined;
  readonly content: string | undefined;
  readonly localId: string | undefined;
}

/** Registers once and polls that queue forever. */
export class Reader {
  readonly client: StubbornClient;
  readonly queueId: string;
  /** The received events without heartbeats, in order. */
  readonly received: Received[] = [];
  readonly start: number;
  readonly #cursor: EventCursor;
  readonly #reading: Promise<void>;
  #until: string | undefined;

  private constructor(client: StubbornClient, state: Json) {
    this.client = client;
    this.queueId = state.queue_id;
    this.start = state.last_event_id;
    this.#cursor = new EventCursor(this.start);
    this.#reading = this.#read();
    this.#reading.catch(() => undefined);
  }

  static async register(client: StubbornClient, parameters: Fields): Promise<Reader> {
    return new Reader(client, await client.insist('POST', '/register', parameters));
  }

  /** Reads until a message with this content has arrived. Call it before the message is sent. */
  async lastReadId(content: string): Promise<void> {
    this.#until = content;
    await this.#reading;
  }

  async #read(): Promise<void> {
    // timing: it reads until the test ends
    while (!this.#isDone()) {
      const fields = { queue_id: this.queueId, last_event_id: this.#cursor.lastEventId };
      const body = await this.client.attempt('GET', '/events', fields);
      if (body === undefined) await delay(PAUSE);
      else this.#hear(body.events);
    }
  }

  #isDone(): boolean {
    return this.#until !== undefined && this.received.some(({ content }) => content === this.#until);
  }

  #hear(events: readonly Json[]): void {
    this.#cursor.accept(events);
    for (const event of events) {
      if (event.type === 'heartbeat') continue;
      this.received.push({
        eventId: event.id,
        type: event.type,
        messageId: event.message?.id,
        content: event.message?.content,
        localId: event.local_message_id,
      });
    }
  }
}

/** The number of concurrent messages of one sender. */
const AT_ONCE = 3;

/** A message that a sender tried to send. `id` is set once it is acknowledged. */
export interface Attempt {
  readonly content: string;
  readonly localId: string;
  readonly id: number | undefined;
}

/**
 * Sends messages, a few concurrently, each after the response of the one before. An unacknowledged message may or may
 * not have been stored. So this sends it again, like a client whose user presses "send again". Each attempt has its own
 * text and local id. So a test can check for each attempt whether it was stored, and how often.
 */
export class Sending {
  readonly attempts: Attempt[] = [];
  readonly #reader: Reader;
  readonly #targets: readonly Fields[];
  readonly #random: Random;
  readonly #lanes: Promise<unknown>;
  #stopped = false;
  #next = nobodyNeedListen();
  #messages = 0;

  constructor(reader: Reader, targets: readonly Fields[], random: Random) {
    this.#reader = reader;
    this.#random = random;
    this.#targets = targets;
    this.#lanes = Promise.all(Array.from({ length: AT_ONCE }, () => this.#run()));
    this.#lanes.catch((error) => this.#next.reject(error));
  }

  /** Resolves at the next acknowledgement. */
  get acknowledged(): Promise<void> {
    return this.#next.promise;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#lanes;
  }

  async #run(): Promise<void> {
    const { client } = this.#reader;
    // timing: it sends until the test stops it
    while (!this.#stopped) {
      this.#messages += 1;
      const message = this.#messages;
      const target = this.#random.pick(this.#targets) ?? {};
      // timing: as long as the server is gone
      for (let attempt = 1; ; attempt += 1) {
        if (await this.#send(client, `${message}.${attempt}`, target)) break;
        if (this.#stopped) return;
        await delay(PAUSE);
      }
      if (message % 5 === 0) await client.attempt('POST', '/typing', typing(target));
    }
  }

  async #send(client: StubbornClient, name: string, target: Fields): Promise<boolean> {
    const localId = `${client.account.userId}.${name}`;
    const content = `message ${localId}`;
    const echo = { queue_id: this.#reader.queueId, local_id: localId };
    const body = await client.attempt('POST', '/messages', { ...target, content, ...echo });
    this.attempts.push({ content, localId, id: body?.id });
    if (body === undefined) return false;
    this.#next.resolve();
    this.#next = nobodyNeedListen();
    return true;
  }
}

function nobodyNeedListen(): PromiseWithResolvers<void> {
  const next = Promise.withResolvers<void>();
  next.promise.catch(() => undefined);
  return next;
}

function typing(target: Fields): Fields {
  return target.type === 'direct'
    ? { op: 'start', type: 'direct', to: target.to }
    : { op: 'start', type: 'channel', stream_id: target.to, topic: target.topic };
}
