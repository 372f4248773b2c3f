/** Runs unmodified existing clients against a separate server process. If a client fails, Heddle has a bug. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { checkEvent } from './testing/clients/event-check.ts';
import type { Json } from './testing/clients/json.ts';
import { serverForClients } from './testing/faults/server-for-clients.ts';
import { until } from './testing/server/until.ts';

const zulip = createRequire(import.meta.url)('zulip-js');

const server = await serverForClients();
after(() => server.end());
const { owner } = server;
const ada = await server.account('Ada');

/** Runs zulip-js's own event loop in a thread that the test can end. */
class Listener {
  readonly #worker: Worker;
  readonly #events: Json[] = [];
  #error: unknown;

  constructor(config: object, eventTypes: readonly string[] | null) {
    const workerData = { config, eventTypes };
    this.#worker = new Worker(join(import.meta.dirname, 'testing', 'clients', 'zulip-js-listener.ts'), { workerData });
    this.#worker.on('error', (error) => {
      this.#error = error;
    });
    this.#worker.on('message', (event) => {
      checkEvent(event);
      this.#events.push(event);
    });
  }

  /** Waits for the first matching event, and removes it and all earlier ones from the list. */
  async next(fits: (event: Json) => boolean): Promise<Json> {
    return until(() => {
      if (this.#error !== undefined) throw this.#error;
      const at = this.#events.findIndex(fits);
      return this.#events.splice(0, at + 1).at(-1);
    }, 'a matching event of zulip-js');
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** zulip-js also resolves if the server refused. This checks that it did not. */
function succeeded(answer: Json): Json {
  assert.equal(answer.result, 'success', JSON.stringify(answer));
  return answer;
}

test('zulip-js logs in with a password and reads the server settings', async () => {
  const client = await zulip({ ...owner });
  assert.match(client.config.apiKey, /^\w{32}$/);
  const profile = succeeded(await client.users.me.getProfile());
  assert.equal(profile.email, owner.username);
  assert.equal(profile.is_owner, true);
  const settings = succeeded(await client.server.settings());
  assert.equal(settings.zulip_feature_level, 421);
  assert.equal(settings.realm_name, 'Heddle');
});

// rules: register-29
test('a new account has a message, as some clients require: the owner, and accounts from the command line', async () => {
  for (const account of [owner, ada]) {
    const client = await zulip({ ...account });
    const query = { anchor: 'oldest', num_before: 0, num_after: 1 };
    const [first] = succeeded(await client.messages.retrieve(query)).messages;
    assert.deepEqual([first.type, first.sender_full_name, first.flags], ['private', 'Welcome Bot', []]);
  }
});

test('zulip-js returns an error as the server sent it', async () => {
  const unauthorized = await zulip({ ...owner, apiKey: 'x'.repeat(32) });
  const refused = await unauthorized.users.me.getProfile();
  assert.deepEqual(refused, { result: 'error', msg: 'Invalid API key', code: 'UNAUTHORIZED' });
  const client = await zulip({ ...ada });
  const missing = await client.messages.send({ type: 'channel', to: 'nowhere', topic: 'x', content: 'x' });
  assert.equal(missing.code, 'STREAM_DOES_NOT_EXIST');
  const incomplete = await client.messages.send({ type: 'channel', to: 'nowhere' });
  assert.equal(incomplete.code, 'REQUEST_VARIABLE_MISSING');
  assert.equal(incomplete.var_name, 'content');
  const unknown = await client.callEndpoint('/no/such/thing', 'GET');
  assert.equal(unknown.result, 'error');
});

test('two users talk through zulip-js: subscribe, send, listen, read, set flags, type', async (t) => {
  const olive = await zulip({ ...owner });
  const oliveId = (await olive.users.me.getProfile()).user_id;
  const client = await zulip({ ...ada });

  // Channels: subscribing creates one.
  const subscribed = succeeded(
    await client.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name: 'loom' }]) }),
  );
  assert.deepEqual(subscribed.subscribed, { [ada.id]: ['loom'] });
  succeeded(await olive.callEndpoint('/users/me/subscriptions', 'POST', { subscriptions: [{ name: 'loom' }] }));
  const { subscriptions } = succeeded(await olive.streams.subscriptions.retrieve());
  assert(subscriptions.some((subscription: Json) => subscription.name === 'loom'));
  const { streams } = succeeded(await client.streams.retrieve());
  const loom = streams.find((channel: Json) => channel.name === 'loom').stream_id;
  assert.equal(succeeded(await client.streams.getStreamId('loom')).stream_id, loom); // wire name: zulip-js's own

  // Users.
  const { members } = succeeded(await client.users.retrieve({ client_gravatar: true }));
  assert.deepEqual(new Set(members.map((user: Json) => user.user_id)), new Set([oliveId, ada.id]));

  const listener = new Listener({ ...ada }, ['message', 'typing', 'update_message_flags']);
  t.after(() => listener.end());
  // The test cannot observe when the listener registers, so it sends typing events until the listener receives one.
  await heardBy(listener, () => olive.typing.send({ op: 'start', to: [ada.id], type: 'direct' }));

  const params = { type: 'stream', to: 'loom', topic: 'warp', content: 'Tie the **warp** on' };
  const { id } = succeeded(await olive.messages.send(params));
  const { message, flags } = await listener.next((event) => event.type === 'message');
  assert.equal(message.id, id);
  assert.equal(message.display_recipient, 'loom');
  assert.equal(message.subject, 'warp');
  assert.equal(message.sender_id, oliveId);
  assert.deepEqual(flags, []);

  const direct = { type: 'private', to: owner.username, content: 'On my way' };
  const answer = succeeded(await client.messages.send(direct));
  const own = await listener.next((event) => event.type === 'message');
  assert.equal(own.message.id, answer.id);
  assert.deepEqual(new Set(own.message.display_recipient.map((user: Json) => user.id)), new Set([oliveId, ada.id]));

  assert.deepEqual(succeeded(await client.streams.topics.retrieve({ stream_id: loom })).topics, [
    { name: 'warp', max_id: id },
    { name: 'channel events', max_id: id - 1 },
  ]);

  // Fetching: narrows are lists that it turns into JSON itself.
  const narrow = [{ operator: 'stream', operand: 'loom' }];
  const window = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
  const fetched = succeeded(await client.messages.retrieve(window));
  assert.deepEqual(
    fetched.messages.map((fetchedMessage: Json) => fetchedMessage.id),
    [id - 1, id],
  );
  assert.match(fetched.messages[1].content, /<strong>warp<\/strong>/);
  const one = succeeded(await client.messages.getById({ message_id: id, apply_markdown: false }));
  assert.equal(one.message.content, 'Tie the **warp** on');

  // Flags.
  assert.deepEqual(succeeded(await client.messages.flags.add({ messages: [id], flag: 'read' })).messages, [id]);
  const read = await listener.next((event) => event.type === 'update_message_flags');
  assert.deepEqual([read.op, read.flag, read.messages], ['add', 'read', [id]]);
  succeeded(await client.messages.flags.add({ messages: [id], flag: 'starred' }));
  succeeded(await client.messages.flags.remove({ messages: [id], flag: 'starred' }));
  const unstarred = await listener.next((event) => event.op === 'remove');
  assert.equal(unstarred.flag, 'starred');

  // Typing: one recipient is sent as a list of one, which the form encodes as a bare number.
  succeeded(await olive.typing.send({ op: 'stop', to: [ada.id] }));
  const typing = await listener.next((event) => event.type === 'typing' && event.op === 'stop');
  assert.equal(typing.sender.user_id, oliveId);

  const removed = { subscriptions: JSON.stringify(['loom']) };
  assert.deepEqual(succeeded(await client.users.me.subscriptions.remove(removed)).removed, ['loom']);
});

test('zulip-js registers a queue, fetches from it and deletes it', async () => {
  const client = await zulip({ ...ada });
  const queue = succeeded(await client.queues.register({ event_types: ['message'] }));
  const cursor = { queue_id: queue.queue_id, last_event_id: queue.last_event_id };
  const { id } = succeeded(await client.messages.send({ type: 'direct', to: [ada.id], content: 'To myself' }));
  const { events } = succeeded(await client.events.retrieve(cursor));
  assert.deepEqual(
    events.map((event: Json) => [event.type, event.message.id]),
    [['message', id]],
  );
  succeeded(await client.queues.deregister({ queue_id: queue.queue_id }));
  const gone = await client.events.retrieve({ ...cursor, dont_block: true });
  assert.equal(gone.code, 'BAD_EVENT_QUEUE_ID');
  assert.equal(gone.queue_id, queue.queue_id);
});

/** Repeats an action until the listener, which registers at an unknown moment, receives its event. */
async function heardBy(listener: Listener, say: () => Promise<unknown>): Promise<void> {
  let isHeard = false;
  const heard = listener
    .next((event) => event.type === 'typing')
    .then(() => {
      isHeard = true;
    });
  await until(async () => {
    succeeded(await say());
    return isHeard;
  }, 'the listener to receive an event');
  await heard;
}
