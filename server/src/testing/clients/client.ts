import assert from 'node:assert/strict';
import { request } from 'node:http';
import { apiPrefix } from '@heddle/api/contract.ts';
import { until } from '../server/until.ts';
import { EventCursor } from './event-cursor.ts';
import type { Json } from './json.ts';

export interface TestClientOptions {
  readonly url: string;
  /** The `Host` header, which selects the organization. */
  readonly host: string;
  /** Sent as credentials with the key. Without both, no credentials are sent. */
  readonly email?: string;
  readonly apiKey?: string;
  readonly userId: number;
  readonly name: string;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
}

const RENEWAL = `${apiPrefix}/users/me/api_key/regenerate`;

/**
 * A client of the HTTP API for one user, with requests like those of programs: form fields, and JSON for values that
 * are not strings.
 */
export class TestClient {
  #options: TestClientOptions;

  constructor(options: TestClientOptions) {
    this.#options = options;
  }

  get userId(): number {
    return this.#options.userId;
  }
  /** Selects the organization. */
  get host(): string {
    return this.#options.host;
  }
  get email(): string {
    return this.#options.email ?? '';
  }
  get apiKey(): string {
    return this.#options.apiKey ?? '';
  }
  get name(): string {
    return this.#options.name;
  }

  /** Returns any response of the server. */
  async call(
    method: string,
    path: string,
    fields: Fields = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> {
    const { text, ...answer } = await this.ask(method, `${apiPrefix}${path}`, fields, headers);
    try {
      return { ...answer, body: JSON.parse(text) };
    } catch {
      throw new Error(`${method} ${path} answered ${answer.status} with no JSON: ${text.slice(0, 200)}`);
    }
  }

  /** The same for a whole path, with the body as text. */
  ask(method: string, path: string, fields: Fields = {}, headers: Readonly<Record<string, string>> = {}) {
    const { url, host, email, apiKey } = this.#options;
    const form = encode(fields);
    const inQuery = method === 'GET' || method === 'HEAD';
    const target = new URL(`${url}${path}${inQuery && form !== '' ? `?${form}` : ''}`);
    const { promise, resolve, reject } = Promise.withResolvers<Omit<TestAnswer, 'body'> & { readonly text: string }>();
    const outgoing = request(
      target,
      {
        method,
        headers: {
          host,
          ...(email !== undefined && {
            authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
          }),
          'user-agent': 'HeddleTest/1.0',
          // Node does not set the Content-Length of a DELETE.
          ...(!inQuery && {
            'content-type': 'application/x-www-form-urlencoded',
            'content-length': String(Buffer.byteLength(form)),
          }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (incoming.statusCode === 200 && path === RENEWAL) this.takeOver(JSON.parse(text).api_key);
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(inQuery ? undefined : form);
    return promise;
  }

  /** Returns the success body. Fails the test for any other response. */
  async ok(method: string, path: string, fields: Fields = {}): Promise<Json> {
    const { status, body } = await this.call(method, path, fields);
    assert.equal(status, 200, `${method} ${path} answered ${JSON.stringify(body)}`);
    assert.equal(body.result, 'success');
    return body;
  }

  /** Returns the error body. Fails the test for another status than 400 or the given one. */
  async fails(method: string, path: string, fields: Fields = {}, status = 400): Promise<Json> {
    const answer = await this.call(method, path, fields);
    assert.equal(answer.status, status, `${method} ${path} answered ${JSON.stringify(answer.body)}`);
    assert.equal(answer.body.result, 'error');
    return answer.body;
  }

  /** Sends to a channel. Returns the id of the message. */
  async send(channel: string | number, topic: string, content: string, more: Fields = {}): Promise<number> {
    return (await this.ok('POST', '/messages', { type: 'channel', to: channel, topic, content, ...more })).id;
  }

  /** Continues with another key, as programs do after a key rotation. */
  takeOver(apiKey: string): void {
    this.#options = { ...this.#options, apiKey };
  }

  /** Sends a direct message to users by id. Returns the id of the message. */
  async direct(to: readonly number[], content: string, more: Fields = {}): Promise<number> {
    return (await this.ok('POST', '/messages', { type: 'direct', to, content, ...more })).id;
  }

  async subscribe(name: string, more: Fields = {}): Promise<Json> {
    return this.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...more });
  }

  /** Registers a queue with the parameters of `POST /register`. */
  async register(parameters: Fields = {}): Promise<TestQueue> {
    const state = await this.ok('POST', '/register', parameters);
    return new TestQueue(this, state);
  }
}

/** An event queue with the cursor of its reader. */
export class TestQueue extends EventCursor {
  readonly #client: TestClient;
  readonly state: Json;

  constructor(client: TestClient, state: Json) {
    super(state.last_event_id);
    this.#client = client;
    this.state = state;
  }

  get id(): string {
    return this.state.queue_id;
  }

  /** Returns the pending events, without waiting. */
  async now(): Promise<Json[]> {
    return this.#fetch({ dont_block: true });
  }

  /** Waits for the next events. */
  async next(): Promise<Json[]> {
    return this.#fetch({});
  }

  /** The same as `now` or `next`, but undefined if the queue is gone and the client must register again. */
  async unlessGone(wait: 'now' | 'next'): Promise<Json[] | undefined> {
    const query = { queue_id: this.id, last_event_id: this.lastEventId, ...(wait === 'now' && { dont_block: true }) };
    const { status, body } = await this.#client.call('GET', '/events', query);
    if (body.code === 'BAD_EVENT_QUEUE_ID') return undefined;
    assert.equal(status, 200, JSON.stringify(body));
    this.accept(body.events);
    return body.events;
  }

  /** Waits for this many events, ignoring heartbeats. */
  async take(count: number): Promise<Json[]> {
    const events: Json[] = [];
    await until(async () => {
      events.push(...(await this.next()).filter((event) => event.type !== 'heartbeat'));
      return events.length >= count;
    }, `${count} events`);
    return events;
  }

  /** Waits for the first matching event. Returns the events that arrived with it or before it, without heartbeats. */
  async upTo(fits: (event: Json) => boolean): Promise<Json[]> {
    const events: Json[] = [];
    await until(async () => {
      events.push(...(await this.next()).filter((event) => event.type !== 'heartbeat'));
      return events.some(fits);
    }, 'a matching event');
    return events;
  }

  /** Returns all pending events, also those that do not fit into one response, or undefined if the queue is gone. */
  async pending(): Promise<Json[] | undefined> {
    const events: Json[] = [];
    let isGone = false;
    await until(async () => {
      const more = await this.unlessGone('now');
      isGone = more === undefined;
      events.push(...(more ?? []));
      return isGone || more?.length === 0;
    }, 'the last pending event');
    return isGone ? undefined : events;
  }

  async #fetch(fields: Fields): Promise<Json[]> {
    const query = { queue_id: this.id, last_event_id: this.lastEventId, ...fields };
    const { events } = await this.#client.ok('GET', '/events', query);
    this.accept(events);
    return events;
  }
}

/** Encodes the fields for a form or a query: JSON for values that are not strings. */
export function encode(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form.toString();
}
