import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestClient } from '@heddle/server/testing/clients/client.ts';
import { accountAt, ownerAccount } from '@heddle/server/testing/faults/command-line-accounts.ts';
import { type Fate, type HttpProxy, startHttpProxy } from '@heddle/server/testing/faults/http-proxy.ts';
import { startKillable } from '@heddle/server/testing/faults/killable-server.ts';
import { fc } from '@heddle/server/testing/random/property.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { until } from '../../../../server/src/testing/server/until.ts';
import { ModelClient } from '../../../testing/model-client.ts';
import { narrowOfPlace } from './narrow.ts';
import { Outbox } from './outbox.ts';
import { directPlace, keyOf, type Place, topicPlace } from './places.ts';

let server: TestServer;
let proxy: HttpProxy;
before(async () => {
  server = await startTestServer();
  proxy = await startHttpProxy(server.url);
});
after(async () => {
  await proxy.close();
  await server.stop();
});

/** Texts that the server stores as they are, and some that it changes. Equal texts are separate messages. */
const TEXTS = [
  'hello',
  'hello',
  'hello  \n',
  '\n\nhello',
  'two\r\nlines',
  '**bold** @**all**',
  '/me spins',
  'half \ud83d',
];

const REFUSALS: readonly Fate[] = [
  { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '0' }, body: limited() },
  { status: 502, body: '<h1>Bad gateway</h1>' },
  { status: 503, headers: { 'content-type': 'application/json' }, body: '{"result":"error","msg":"","code":"BUSY"}' },
];

function limited(): string {
  return JSON.stringify({ result: 'error', code: 'RATE_LIMIT_HIT', msg: 'Too often', 'retry-after': 0 });
}

type Step =
  | { readonly do: 'write'; readonly place: number; readonly text: number }
  /** What happens to the next requests of these kinds. */
  | { readonly do: 'network'; readonly sending: readonly Fate[]; readonly looking: readonly Fate[] }
  | { readonly do: 'wait' | 'catch up' | 'lose queue' | 'reload' };

const fate = fc.constantFrom<Fate>('pass', 'refuse', 'cut', 'cut', ...REFUSALS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      place: fc.nat({ max: 3 }),
      text: fc.nat({ max: TEXTS.length - 1 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('network' as const),
      sending: fc.array(fate, { maxLength: 4 }),
      looking: fc.array(fate, { maxLength: 2 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('wait', 'wait', 'catch up', 'lose queue', 'reload') }) },
);

/** Decides about requests by two lists of fates, which are used up. */
class Network {
  #sending: readonly Fate[] = [];
  #looking: readonly Fate[] = [];
  set({ sending, looking }: { readonly sending: readonly Fate[]; readonly looking: readonly Fate[] }): void {
    [this.#sending, this.#looking] = [sending, looking];
  }

  decide(method: string, path: string): Fate {
    if (!path.startsWith('/api/v1/messages')) return 'pass';
    const [fate = 'pass', ...others] = method === 'POST' ? this.#sending : this.#looking;
    if (method === 'POST') this.#sending = others;
    else this.#looking = others;
    return fate;
  }
}

interface Written {
  readonly place: Place;
  readonly text: string;
}

test('whatever happens to requests, each message is sent once, in the order of writing', async () => {
  const network = new Network();
  proxy.decide = ({ method, path }) => network.decide(method, path);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      const [writer, other] = [await server.user(), await server.user()];
      const [channel, foreign] = [
        await server.emptyChannel(writer, `Looms ${writer.userId}`),
        await server.emptyChannel(other, `Spindles ${writer.userId}`),
      ];
      const places = [
        topicPlace(channel, 'cloth'),
        topicPlace(foreign, 'not subscribed'),
        directPlace([other.userId], writer.userId),
        directPlace([], writer.userId),
      ];
      let client = await ModelClient.start(writer, proxy.url);
      const written: Written[] = [];
      for (const one of steps) {
        client.note(JSON.stringify(one));
        if (one.do === 'network') network.set(one);
        else if (one.do === 'write') {
          const [place, text] = [places[one.place], TEXTS[one.text]];
          assert(place !== undefined && text !== undefined);
          written.push({ place, text });
          client.model.cache.outbox.send(place, text, client.model.maxMessageId);
        } else if (one.do === 'wait') await other.ok('GET', '/users/me');
        else if (one.do === 'catch up') await client.catchUp();
        else if (one.do === 'lose queue') await client.loseQueue();
        else client = await reloaded(client, writer, places);
      }
      network.set({ sending: [], looking: [] });
      await delivered(client);
      await compare(writer, written);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('a message behind one that needs a login needs it, too', async () => {
  const outbox = new Outbox({
    send: async () => ({ outcome: 'logged-out' }),
    findSent: async () => [],
    untilRetry: () => new Promise(() => undefined),
    newestKnownId: () => 0,
    isEventExpected: () => true,
    sentWithoutEvent: () => undefined,
    save: () => undefined,
  });
  const place = directPlace([7], 5);
  outbox.send(place, 'one', 0);
  await until(() => outbox.list()[0]?.needsLogin === true, 'the refusal of the first');
  outbox.send(place, 'two', 0);
  assert.deepEqual(
    outbox.list().map(({ state, needsLogin }) => [state, needsLogin]),
    [
      ['waiting', true],
      ['waiting', true],
    ],
  );
});

/** A new page of the same person. The old one disappears with its open requests. */
async function reloaded(old: ModelClient, person: TestClient, places: readonly Place[]): Promise<ModelClient> {
  await old.abandon();
  const client = await ModelClient.start(person, proxy.url);
  // The person sees the conversation before writing in it. No event announces messages of a channel without subscription.
  const seen = places.map((place) => client.look(narrowOfPlace(place, person.userId), 'newest'));
  await until(async () => {
    await client.network.idle();
    for (const window of seen) if (window.state === 'failed') void window.open('newest');
    return seen.every(({ state }) => state === 'ready');
  }, 'all conversations to be shown');
  client.model.cache.outbox.restore(old.saved);
  return client;
}

/** Waits until the outbox is empty. */
async function delivered(client: ModelClient): Promise<void> {
  const { outbox } = client.model.cache;
  await until(
    () => outbox.list().every(({ state }) => state !== 'sending' && state !== 'waiting'),
    'all messages to be sent',
  );
  await client.settle();
  assert.deepEqual(outbox.list(), [], 'the outbox knows that all messages have arrived');
}

/** Compares what was written with what is on the server. */
async function compare(writer: TestClient, written: readonly Written[]): Promise<void> {
  const byPlace = Map.groupBy(written, ({ place }) => keyOf(place));
  for (const [key, ofPlace] of byPlace) {
    const [first] = ofPlace;
    assert(first !== undefined);
    const terms =
      first.place.kind === 'topic'
        ? [
            { operator: 'channel', operand: first.place.channelId },
            { operator: 'topic', operand: first.place.topic },
          ]
        : [{ operator: 'dm', operand: first.place.userIds.length === 0 ? [writer.userId] : first.place.userIds }];
    const { messages } = await writer.ok('GET', '/messages', {
      narrow: [...terms, { operator: 'sender', operand: writer.userId }],
      anchor: 'newest',
      num_before: 1_000,
      num_after: 0,
      apply_markdown: false,
    });
    assert.deepEqual(
      messages.map(({ content }: { readonly content: string }) => content),
      ofPlace.map(({ text }) => text.toWellFormed().trimEnd().replace(/^\n+/, '')),
      key,
    );
  }
}

test('a server that is killed while a person writes gets each message once', async (t) => {
  const password = 'a shuttle flies through the shed';
  const killable = await startKillable(t, { HEDDLE_OWNER_PASSWORD: password, HEDDLE_RATE_LIMITS: 'off' });
  const { url } = await killable.listening;
  const front = await startHttpProxy(url);
  t.after(() => front.close());
  const owner = await ownerAccount(url, password);
  const writer = await accountAt(killable, 'Writer');
  const host = new URL(front.url).host;
  const person = new TestClient({ ...writer, url: front.url, host, name: 'Writer' });
  const client = await ModelClient.start(person, front.url);
  const place = directPlace([owner.userId], writer.userId);
  const written: Written[] = [];
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 20; index++) {
      const text = `round ${round}, message ${index % 4}`;
      written.push({ place, text });
      client.model.cache.outbox.send(place, text, client.model.maxMessageId);
    }
    const unsent = () =>
      client.model.cache.outbox.list().filter(({ state }) => state === 'sending' || state === 'waiting').length;
    await until(() => unsent() <= 15, 'the first five messages to be sent');
    await killable.kill();
    front.target = (await killable.restart()).url;
    await client.catchUp();
  }
  await delivered(client);
  await compare(person, written);
});
