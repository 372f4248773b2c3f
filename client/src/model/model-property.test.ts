import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTask } from 'node:timers/promises';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import { type Operation, operation, World } from '@heddle/server/testing/operations/operations.ts';
import { fc } from '@heddle/server/testing/random/property.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import type { Side } from '../../testing/gated-fetch.ts';
import { ModelClient } from '../../testing/model-client.ts';
import type { Anchor } from './messages/message-pages.ts';
import type { Narrow } from './messages/narrow.ts';
import { type PinnedEntry, PinnedMessages } from './messages/pinned-messages.ts';
import { topicPlace } from './messages/places.ts';

let server: TestServer;
let residents: readonly TestClient[];
before(async () => {
  server = await startTestServer();
  residents = await World.residentsOf(server);
});
after(() => server.stop());

/** What a person does, or what happens to their network, between two operations. */
type Step =
  | { readonly do: 'operate'; readonly operation: Operation }
  | { readonly do: 'look'; readonly who: number; readonly narrow: number; readonly anchor: Anchor }
  | { readonly do: 'scroll'; readonly who: number; readonly narrow: number; readonly to: 'older' | 'newer' }
  | { readonly do: 'hold'; readonly who: number; readonly side: Side }
  | { readonly do: 'release' | 'catch up' | 'lose queue' | 'compare'; readonly who: number };

/** Pages are this much smaller than those of the app. */
const PAGE_DIVISOR = 12;
const NARROWS = 16;
/** Owner, two members, guest. */
const CLIENTS = 4;

const who = fc.nat({ max: CLIENTS - 1 });
const narrow = fc.nat({ max: NARROWS - 1 });
const just = <const Name extends string>(name: Name) => fc.constant(name);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 60, arbitrary: fc.record({ do: just('operate'), operation }) },
  {
    weight: 14,
    arbitrary: fc.record({
      do: just('look'),
      who,
      narrow,
      anchor: fc.constantFrom<Anchor>('newest', 'newest', 'oldest', 'first_unread'),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ do: just('scroll'), who, narrow, to: fc.constantFrom('older', 'newer') }),
  },
  { weight: 6, arbitrary: fc.record({ do: just('hold'), who, side: fc.constantFrom('requests', 'responses') }) },
  { weight: 6, arbitrary: fc.record({ do: just('release'), who }) },
  { weight: 10, arbitrary: fc.record({ do: just('catch up'), who }) },
  { weight: 1, arbitrary: fc.record({ do: just('lose queue'), who }) },
  { weight: 3, arbitrary: fc.record({ do: just('compare'), who }) },
);

/** The narrows of a client in a run. */
async function narrowsOf(client: TestClient, run: string, others: readonly TestClient[]): Promise<readonly Narrow[]> {
  const ids = await Promise.all(
    [0, 1].map(async (index) => {
      const { body } = await client.call('GET', '/get_stream_id', { stream: `${run} ${index}` });
      return Number(body.stream_id ?? 0);
    }),
  );
  const [public_ = 0, private_ = 0] = ids;
  const [one = client] = others.filter(({ userId }) => userId !== client.userId);
  const channel = (id: number) => ({ operator: 'channel', operand: id });
  const is = (operand: string) => [{ operator: 'is', operand }];
  return [
    [],
    [channel(public_)],
    [channel(private_)],
    [channel(public_), { operator: 'topic', operand: 'one' }],
    [channel(public_), { operator: 'topic', operand: 'two' }],
    [channel(public_), { operator: 'topic', operand: '' }],
    [channel(private_), { operator: 'topic', operand: 'one' }],
    [{ operator: 'dm', operand: [one.userId] }],
    is('dm'),
    is('starred'),
    is('mentioned'),
    is('followed'),
    is('muted'),
    is('unread'),
    [{ operator: 'sender', operand: one.userId }],
    [{ operator: 'search', operand: 'Guest' }],
  ];
}

test('a message that was loaded after its topic was resolved does not count as moved when the event arrives', async () => {
  const client = await server.user();
  const id = await server.emptyChannel(client, 'late resolving');
  const message = await client.send(id, 'looms', 'hello');
  const modelled = await ModelClient.start(client, server.url);
  await client.ok('PATCH', `/messages/${message}`, { topic: '✔ looms', propagate_mode: 'change_all' });
  modelled.look([{ operator: 'channel', operand: id }], 'newest');
  await modelled.compare();
  assert.equal(modelled.model.cache.messages.get(message)?.movedAt, undefined);
});

test('messages from before the subscription leave at once when they become hidden, and come back with the history', async () => {
  const [owner, client] = [server.owner, await server.user()];
  const id = await server.emptyChannel(owner, 'guild');
  const early = await owner.send(id, 'looms', 'from before');
  await client.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'guild' }] });
  const late = await owner.send(id, 'looms', 'from after');
  const modelled = await ModelClient.start(client, server.url);
  const narrow = [{ operator: 'channel', operand: id }];
  const window = modelled.look(narrow, 'newest');
  await modelled.compare();
  assert(window.has(early));
  await owner.ok('PATCH', `/streams/${id}`, { is_private: true, history_public_to_subscribers: false });
  await modelled.compare();
  assert.deepEqual([window.has(early), window.has(late)], [false, true]);
  await owner.ok('PATCH', `/streams/${id}`, { is_private: true, history_public_to_subscribers: true });
  await modelled.compare();
  assert(window.has(early));
});

test('a new registration loads the most relevant hits again', async () => {
  const client = await server.user();
  const id = await server.emptyChannel(client, 'vats');
  const first = await client.send(id, 'dye', 'madder');
  const modelled = await ModelClient.start(client, server.url);
  const hits = modelled.model.cache.relevantHits([{ operator: 'search', operand: 'madder' }]);
  await hits.load();
  assert.deepEqual(hits.ids, [first]);
  await modelled.loseQueue();
  const second = await client.send(id, 'dye', 'madder madder madder');
  await modelled.settle();
  assert(hits.ids.includes(second));
});

test('after an event, pinned messages are loaded once, after a pause; a late response does not return lost ones', async () => {
  const entry = { messageId: 1, topic: 'looms', place: 'topic', userId: 2, pinnedAt: 3 } as const;
  const responses: (() => void)[] = [];
  const fetch = () => new Promise<readonly PinnedEntry[]>((resolve) => responses.push(() => resolve([entry])));
  const pause = Promise.withResolvers<void>();
  const pinned = new PinnedMessages(fetch, () => pause.promise);
  pinned.observe(7);
  responses[0]?.();
  await pinned.load(7);
  for (const id of [1, 2]) pinned.apply({ type: 'pinned_messages', id, stream_id: 7 });
  await nextTask();
  assert.equal(responses.length, 1, 'nothing is asked during the pause');
  pause.resolve();
  await nextTask();
  assert.equal(responses.length, 2);
  assert.deepEqual(pinned.all(7), [entry]);
  pinned.lose(7);
  responses[1]?.();
  await nextTask();
  assert.deepEqual(pinned.all(7), []);
});

test('recent conversations keep the text of their last message, and few others', async () => {
  const client = await server.user();
  const channelId = await server.emptyChannel(client, 'texts');
  await client.send(channelId, 'old', 'the warp');
  const id = await client.send(channelId, 'busy', 'the weft');
  const { cache } = (await ModelClient.start(client, server.url)).model;
  const { recent } = cache;
  await recent.load();
  const [record] = await cache.newestMatches([], 1);
  assert(record?.id === id);
  const textIn = (topic: string) => recent.of(topicPlace(channelId, topic))?.last.html;
  for (let next = 1; next <= 2_100; next++) {
    recent.receive({ ...record, id: id + next, place: topicPlace(channelId, 'elsewhere') });
  }
  assert.deepEqual([textIn('old'), textIn('busy')], ['<p>the warp</p>', '<p>the weft</p>']);
  recent.receive({ ...record, id: id + 3_000, content: '<p>the cloth</p>' });
  assert.equal(textIn('busy'), '<p>the cloth</p>');
  recent.apply({ id: 1, type: 'delete_message', message_ids: [id + 3_000], message_type: 'private' });
  assert.equal(textIn('busy'), undefined);
});

let runs = 0;

test('a model and its windows equal what the server says, whatever comes late', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 120 }), async (steps) => {
      const run = `run ${runs++}`;
      const world = await World.begin(server, residents, run);
      const clients = await Promise.all(
        world.residents.map(async (client) => {
          const [modelled, narrows] = await Promise.all([
            ModelClient.start(client, server.url, PAGE_DIVISOR),
            narrowsOf(client, run, world.residents),
          ]);
          return { modelled, narrows };
        }),
      );
      for (const one of steps) {
        for (const { modelled } of clients) modelled.note(JSON.stringify(one));
        if (one.do === 'operate') await world.perform(one.operation);
        else {
          const { modelled, narrows } = clients[one.who] ?? {};
          if (modelled !== undefined && narrows !== undefined) await act(one, modelled, narrows);
        }
      }
      for (const { modelled } of clients) await modelled.compare();
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

async function act(
  one: Exclude<Step, { do: 'operate' }>,
  client: ModelClient,
  narrows: readonly Narrow[],
): Promise<void> {
  switch (one.do) {
    case 'look':
      client.look(narrows[one.narrow] ?? [], one.anchor);
      break;
    case 'scroll': {
      const window = client.model.cache.windows.of(narrows[one.narrow] ?? []);
      void (one.to === 'older' ? window.loadOlder() : window.loadNewer());
      break;
    }
    case 'hold':
      client.network.hold(one.side);
      break;
    case 'release':
      client.network.release();
      await client.network.idle();
      break;
    case 'catch up':
      await client.catchUp();
      break;
    case 'lose queue':
      await client.loseQueue();
      break;
    case 'compare':
      await client.compare();
      break;
  }
}
