/**
 * Kills the server during changes of every kind. Clients continue with their queues and apply the events. Their state
 * must equal that of a client that registers again (invariants I1, I3, I7).
 * The moments of the kills are random: timers here schedule the faults. Nothing else waits for a time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises'; // timing: the server is killed at random moments
import { FollowedModel } from '../../client/testing/followed-model.ts';
import type { Fields, TestAnswer } from './testing/clients/client.ts';
import { TestClient } from './testing/clients/client.ts';
import { EventCursor } from './testing/clients/event-cursor.ts';
import type { Json } from './testing/clients/json.ts';
import { AS_AN_APP } from './testing/clients/live-model.ts';
import { accountAt } from './testing/faults/command-line-accounts.ts';
import { timesOf } from './testing/faults/kill-counts.ts';
import { type KillableServer, startKillable } from './testing/faults/killable-server.ts';
import { type Account, StubbornClient } from './testing/faults/stubborn-clients.ts';
import { type Random, randomOf } from './testing/random/random.ts';
import { until } from './testing/server/until.ts';

const settings = { HEDDLE_RATE_LIMITS: 'off', HEDDLE_LOG_LEVEL: 'error' };
const KILLS = timesOf({ gate: 2, long: 10 });

/** A client with a copy of the organization's state. Its queue keeps the copy up to date through every fault. */
class Follower {
  readonly account: Account;
  readonly stubborn: StubbornClient;
  readonly #queueId: string;
  readonly #followed: FollowedModel;
  readonly #cursor: EventCursor;

  constructor(account: Account, stubborn: StubbornClient, state: Json) {
    this.account = account;
    this.stubborn = stubborn;
    this.#queueId = state.queue_id;
    this.#followed = new FollowedModel(account.userId, lasting(state));
    this.#cursor = new EventCursor(state.last_event_id);
  }

  /** Applies events from the queue, up to a message with this content. */
  async follow(last: string): Promise<void> {
    // timing: it follows until the test ends
    for (;;) {
      const fields = { queue_id: this.#queueId, last_event_id: this.#cursor.lastEventId };
      const body = await this.stubborn.attempt('GET', '/events', fields);
      if (body === undefined) {
        await delay(20);
        continue;
      }
      this.#cursor.accept(body.events);
      for (const event of body.events) this.#followed.apply(lasting(event));
      if (body.events.some((event: Json) => event.message?.content.includes(last))) return;
    }
  }

  async compare(): Promise<void> {
    this.#followed.compare(lasting(await this.stubborn.insist('POST', '/register', AS_AN_APP)));
  }
}

/** Makes equal what changes with every start of the server, without an event: its port and its generation. */
function lasting(received: Json): Json {
  const text = JSON.stringify(received).replaceAll(/localhost:\d+/g, 'localhost');
  return JSON.parse(text.replaceAll(/"server_generation":\d+/g, '"server_generation":0'));
}

interface DoerOptions {
  /** The ids of all users. */
  readonly others: readonly number[];
  readonly channels: number[];
  readonly random: Random;
}

/**
 * Sends requests of one account without pause and ignores their results. Every channel is visible to every account.
 * Otherwise clients would miss the deletion of a starred message in a channel that they can no longer access.
 */
class Doer {
  readonly #server: KillableServer;
  readonly #account: Account;
  readonly #others: readonly number[];
  readonly #random: Random;
  readonly #known: {
    messages: number[];
    drafts: number[];
    snippets: number[];
    scheduled: number[];
    channels: number[];
  };
  readonly #running: Promise<void>;
  readonly seen = new Map<string, number>();
  #isOver = false;
  #count = 0;

  constructor(server: KillableServer, account: Account, { others, channels, random }: DoerOptions) {
    this.#server = server;
    this.#account = account;
    this.#others = others;
    this.#random = random;
    this.#known = { messages: [], drafts: [], snippets: [], scheduled: [], channels };
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    // timing: it acts until the test stops it
    while (!this.#isOver) {
      const [method, path, fields] = this.#next();
      let answer: TestAnswer;
      try {
        const { url } = await this.#server.listening;
        const { email, apiKey, userId } = this.#account;
        const client = new TestClient({ url, host: new URL(url).host, email, apiKey, userId, name: email });
        answer = await client.call(method, path, fields);
      } catch {
        await delay(20);
        continue;
      }
      const key = `${method} ${path.replaceAll(/\d+/g, 'N')} ${answer.status}`;
      this.seen.set(key, (this.seen.get(key) ?? 0) + 1);
      assert(answer.status < 500 || answer.status === 503, `${key}: ${JSON.stringify(answer.body)}`);
      this.#learn(path, answer.body);
    }
  }

  #learn(path: string, body: Json): void {
    if (path === '/messages' && body.id !== undefined) this.#known.messages.push(body.id);
    if (path === '/drafts' && body.ids !== undefined) this.#known.drafts.push(...body.ids);
    if (body.saved_snippet_id !== undefined) this.#known.snippets.push(body.saved_snippet_id);
    if (body.scheduled_message_id !== undefined) this.#known.scheduled.push(body.scheduled_message_id);
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return this.#random.pick(items);
  }

  #next(): [string, string, Fields] {
    const n = ++this.#count;
    const channel = this.#pick(this.#known.channels) ?? 1;
    const message = this.#pick(this.#known.messages.slice(-30)) ?? 1;
    const topic = `t${n % 4}`;
    const draft = { type: 'stream', to: [channel], topic, content: `draft ${n}` };
    const other = this.#pick(this.#others) ?? 1;
    const later = Math.floor(Date.now() / 1000) + 86_400;
    const on = this.#random.boolean();
    const choices: (() => [string, string, Fields])[] = [
      () => ['POST', '/messages', { type: 'channel', to: channel, topic, content: `m ${n} @**all**` }],
      () => ['POST', '/messages', { type: 'channel', to: channel, topic, content: `m ${n}` }],
      () => ['POST', '/messages', { type: 'direct', to: [other], content: `d ${n}` }],
      () => ['PATCH', `/messages/${message}`, { content: `edited ${n}` }],
      () => ['PATCH', `/messages/${message}`, { topic, propagate_mode: 'change_all' }],
      () => ['PATCH', `/messages/${message}`, { stream_id: channel, propagate_mode: 'change_later' }],
      () => ['DELETE', `/messages/${message}`, {}],
      () => ['POST', '/messages/flags', { messages: [message], op: on ? 'add' : 'remove', flag: 'starred' }],
      () => ['POST', '/messages/flags', { messages: [message], op: on ? 'add' : 'remove', flag: 'read' }],
      () => ['POST', '/mark_stream_as_read', { stream_id: channel }],
      () => ['POST', `/messages/${message}/reactions`, { emoji_name: 'smile' }],
      () => ['DELETE', `/messages/${message}/reactions`, { emoji_name: 'smile' }],
      () => ['POST', '/drafts', { drafts: [draft, draft] }],
      () => ['PATCH', `/drafts/${this.#pick(this.#known.drafts) ?? 1}`, { draft }],
      () => ['DELETE', `/drafts/${this.#pick(this.#known.drafts) ?? 1}`, {}],
      () => ['POST', '/saved_snippets', { title: `s ${n}`, content: 'x' }],
      () => ['PATCH', `/saved_snippets/${this.#pick(this.#known.snippets) ?? 1}`, { title: `s2 ${n}` }],
      () => ['DELETE', `/saved_snippets/${this.#pick(this.#known.snippets) ?? 1}`, {}],
      () => ['POST', '/navigation_views', { fragment: `v${n % 7}`, is_pinned: on, name: `v${n}` }],
      () => ['PATCH', `/navigation_views/v${n % 7}`, { is_pinned: on }],
      () => ['DELETE', `/navigation_views/v${n % 7}`, {}],
      () => [
        'POST',
        '/scheduled_messages',
        { type: 'channel', to: channel, topic, content: 'x', scheduled_delivery_timestamp: later },
      ],
      () => ['DELETE', `/scheduled_messages/${this.#pick(this.#known.scheduled) ?? 1}`, {}],
      () => ['POST', '/user_topics', { stream_id: channel, topic, visibility_policy: n % 4 }],
      () => ['PATCH', `/streams/${channel}`, { description: `about ${n}` }],
      () => ['POST', '/users/me/subscriptions', { subscriptions: [{ name: `c${n % 3}` }], principals: [other] }],
      () => ['DELETE', '/users/me/subscriptions', { subscriptions: [`c${n % 3}`], principals: [other] }],
      () => ['POST', `/streams/${channel}/delete_topic`, { topic_name: topic }],
    ];
    const chosen = this.#pick(choices);
    assert(chosen);
    return chosen();
  }
}

test('clients that continue with their queues through kills have the state of a client that registers again', async (t) => {
  const random = randomOf(t);
  const server = await startKillable(t, settings);
  const accounts: Account[] = [];
  for (const [name, role] of [
    ['ada', 'owner'],
    ['ben', 'member'],
    ['cleo', 'moderator'],
  ]) {
    accounts.push(await accountAt(server, name as string, '--role', role as string));
  }
  const ids = accounts.map(({ userId }) => userId);
  const clients = accounts.map((account) => new StubbornClient(server, account));
  const [first] = clients;
  assert(first);
  const channels: number[] = [];
  for (const name of ['c0', 'c1', 'c2'])
    channels.push((await first.insist('POST', '/channels/create', { name, subscribers: ids })).id);
  const followers: Follower[] = [];
  for (const [index, account] of accounts.entries()) {
    const stubborn = clients[index] as StubbornClient;
    followers.push(new Follower(account, stubborn, await stubborn.insist('POST', '/register', AS_AN_APP)));
  }
  const following = Promise.all(followers.map((follower) => follower.follow('the very end')));
  following.catch(() => {});
  const doers = accounts.flatMap((account) =>
    [1, 2].map(() => new Doer(server, account, { others: ids, channels, random })),
  );
  for (let kill = 0; kill < KILLS; kill++) {
    await delay(1000 + random.below(1500));
    await server.kill();
    await server.restart();
  }
  const answers = () => doers.map(({ seen }) => seen.values().reduce((sum, count) => sum + count, 0));
  const before = answers();
  await until(() => answers().every((count, index) => count > (before[index] ?? 0)), 'a response to everybody');
  await Promise.all(doers.map((doer) => doer.stop()));
  await first.insist('POST', '/messages', { type: 'direct', to: ids, content: 'the very end' });
  await following;
  for (const follower of followers) await follower.compare();
});
