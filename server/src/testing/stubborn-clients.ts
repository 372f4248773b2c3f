/**
 * Clients that go on through every fault, as real ones do: whatever breaks they try again, at the address where the server
 * is now. They keep what they were told, for a test to hold against what is stored.
 */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type Fields, type TestAnswer, TestClient } from './client.ts';
import { EventCursor } from './event-cursor.ts';
import type { Json } from './json.ts';
import type { KillableServer } from './killable-server.ts';

export interface Account {
  readonly userId: number;
  readonly email: string;
  readonly apiKey: string;
}

/** Before it tries again, in milliseconds: as clients do, so that a server that comes back is not run over. */
const PAUSE = 20;

/** One account at a server that comes and goes. */
export class StubbornClient {
  readonly account: Account;
  readonly #server: KillableServer;
  /** How many requests were told that the database is not available. */
  unavailable = 0;

  constructor(server: KillableServer, account: Account) {
    this.#server = server;
    this.account = account;
  }

  /**
   * One attempt; undefined where it is not known what became of it: the connection broke, or the server said that it could
   * not serve. Any other answer than a success or that one fails the test.
   */
  async attempt(method: string, path: string, fields: Fields): Promise<Json | undefined> {
    if (this.#server.isOver) throw new Error('the server has gone for good');
    const answer = await this.#answer(method, path, fields);
    if (answer === undefined) return undefined;
    if (answer.status === 200) return answer.body;
    assert.equal(answer.status, 503, `${method} ${path} answered ${JSON.stringify(answer.body)}`);
    assert.equal(answer.body.code, 'SERVICE_UNAVAILABLE');
    this.unavailable += 1;
    return undefined;
  }

  /** Tries until it succeeds: only for what may be done twice. */
  async insist(method: string, path: string, fields: Fields = {}): Promise<Json> {
    for (;;) {
      const body = await this.attempt(method, path, fields);
      if (body !== undefined) return body;
      await delay(PAUSE);
    }
  }

  async #answer(method: string, path: string, fields: Fields): Promise<TestAnswer | undefined> {
    try {
      const { url } = await this.#server.listening;
      const { email, apiKey, userId } = this.account;
      const client = new TestClient({ url, host: new URL(url).host, email, apiKey, userId, name: email });
      return await client.call(method, path, fields);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return undefined;
    }
  }
}

/** What an event of a queue was about. */
export interface Heard {
  readonly eventId: number;
  readonly type: string;
  readonly messageId: number | undefined;
  readonly content: string | undefined;
  readonly localId: string | undefined;
}

/** Registers once and polls that one queue for ever. */
export class Reader {
  readonly client: StubbornClient;
  readonly queueId: string;
  /** The events that it has got, heartbeats left out, in the order in which they came. */
  readonly heard: Heard[] = [];
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

  /** Reads on until a message of this content has come. Call it before that is sent. */
  async lastReadId(content: string): Promise<void> {
    this.#until = content;
    await this.#reading;
  }

  async #read(): Promise<void> {
    while (!this.#isDone()) {
      const fields = { queue_id: this.queueId, last_event_id: this.#cursor.lastEventId };
      const body = await this.client.attempt('GET', '/events', fields);
      if (body === undefined) await delay(PAUSE);
      else this.#hear(body.events);
    }
  }

  #isDone(): boolean {
    return this.#until !== undefined && this.heard.some(({ content }) => content === this.#until);
  }

  #hear(events: readonly Json[]): void {
    this.#cursor.accept(events);
    for (const event of events) {
      if (event.type === 'heartbeat') continue;
      this.heard.push({
        eventId: event.id,
        type: event.type,
        messageId: event.message?.id,
        content: event.message?.content,
        localId: event.local_message_id,
      });
    }
  }
}

/** Messages of one sender that are under way at once. */
const AT_ONCE = 3;

/** A message that a sender tried to send; `id` once it was acknowledged. */
export interface Attempt {
  readonly content: string;
  readonly localId: string;
  readonly id: number | undefined;
}

/**
 * Sends messages, a few at a time, each after its answer. One that is not acknowledged may have been stored or not: like a client whose user
 * presses "send again", it is sent anew, as another attempt with a text and a local id of its own. So a test can tell for
 * each attempt whether it was stored, and how often.
 */
export class Sending {
  readonly attempts: Attempt[] = [];
  readonly #reader: Reader;
  readonly #targets: readonly Fields[];
  readonly #lanes: Promise<unknown>;
  #stopped = false;
  #next = nobodyNeedListen();
  #messages = 0;

  constructor(reader: Reader, targets: readonly Fields[]) {
    this.#reader = reader;
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
    while (!this.#stopped) {
      this.#messages += 1;
      const message = this.#messages;
      const target = this.#targets[Math.floor(Math.random() * this.#targets.length)] ?? {};
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
