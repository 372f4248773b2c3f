import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fc } from '@heddle/server/testing/random/property.ts';
import type { TestClient, TestQueue } from '../../../server/src/testing/clients/client.ts';
import type { Json } from '../../../server/src/testing/clients/json.ts';
import { operation, World } from '../../../server/src/testing/operations/operations.ts';
import { startTestServer, type TestServer } from '../../../server/src/testing/server/server.ts';
import type { InitialState, ServerEvent } from '../calls/types.ts';
import { Directory } from './directory.ts';

let server: TestServer;
let residents: readonly TestClient[];
before(async () => {
  server = await startTestServer();
  residents = await World.residentsOf(server);
});
after(() => server.stop());

/** The property holds for every choice of these. Settings as single fields are only for older clients. */
const registration = fc
  .record({
    include_subscribers: fc.constantFrom(true, false, 'partial' as const),
    client_gravatar: fc.boolean(),
    slim_presence: fc.boolean(),
    client_capabilities: fc.record({
      user_settings_object: fc.constant(true),
      notification_settings_null: fc.boolean(),
      linkifier_url_template: fc.boolean(),
      include_deactivated_groups: fc.boolean(),
      archived_channels: fc.boolean(),
      empty_topic_name: fc.boolean(),
      user_list_incomplete: fc.boolean(),
      pinned_messages: fc.boolean(),
      gif_picker: fc.boolean(),
      quiet_hours: fc.boolean(),
    }),
  })
  .map(({ client_capabilities, ...one }) => ({
    ...one,
    client_capabilities: { ...client_capabilities, simplified_presence_events: one.slim_presence },
  }));

interface Watcher {
  readonly client: TestClient;
  readonly queue: TestQueue;
  readonly directory: Directory;
  readonly parameters: typeof registration extends fc.Arbitrary<infer Value> ? Value : never;
}

async function watch(client: TestClient, parameters: Watcher['parameters']): Promise<Watcher> {
  const queue = await client.register(parameters);
  return { client, queue, directory: new Directory(queue.state as InitialState), parameters };
}

function watchAll(world: World, registrations: readonly Watcher['parameters'][]): Promise<Watcher[]> {
  return Promise.all(
    world.residents.flatMap((client, index) => {
      const parameters = registrations[index];
      return parameters === undefined ? [] : watch(client, parameters);
    }),
  );
}

/** What a client cannot know from its events, although a new registration says it. */
class Unknown {
  /** Channels that events announced. The events do not say whether the user was subscribed before. */
  readonly #announced = new Set<number>();
  /** Channels that were hidden for a time. The client missed the events about their topics. */
  readonly #hidden = new Set<number>();
  /** Users who became accessible. No event has their status and presence. */
  readonly #arrived = new Set<number>();
  /** Whether the own role changed: it decides which addresses are visible. */
  #hasNewRole = false;

  add(event: ServerEvent, ownId: number): void {
    if (event.type === 'stream' && event.op === 'create') {
      for (const channel of event.streams) {
        this.#announced.add(channel.stream_id);
        // A new channel has no messages.
        if (channel.first_message_id !== null) this.#hidden.add(channel.stream_id);
      }
    }
    if (event.type === 'stream' && event.op === 'delete') for (const id of event.stream_ids) this.#hidden.add(id);
    if (event.type !== 'realm_user') return;
    if (event.op === 'add') this.#arrived.add(event.person.user_id);
    if (event.op === 'update' && 'role' in event.person && event.person.user_id === ownId) this.#hasNewRole = true;
  }

  /** The content of a directory without what the client cannot know. */
  without(directory: Directory, { bots, hasSubscribers }: { bots: boolean; hasSubscribers: boolean }): object {
    const plain = directory.plain() as Json;
    for (const channel of plain.channels) {
      if (!hasSubscribers) delete channel.subscribers;
      if (this.#announced.has(channel.id) && !channel.isSubscribed) channel.settings = null;
    }
    if (this.#hasNewRole) for (const user of plain.users) for (const name of ADDRESSES) delete user[name];
    const isKnown = ([id]: readonly [number]) => !this.#arrived.has(id);
    return {
      ...plain,
      ...(!bots && { bots: undefined }),
      presence: plain.presence.filter((id: number) => isKnown([id])),
      statuses: plain.statuses.filter(isKnown),
      topicPolicies: plain.topicPolicies.filter(({ channelId }: Json) => !this.#hidden.has(channelId)),
    };
  }
}

const ADDRESSES = ['deliveryEmail', 'avatarUrl'];

async function compare({ client, queue, directory, parameters }: Watcher): Promise<void> {
  const unknown = new Unknown();
  const events = await queue.pending();
  // The queue is gone if, for example, the accessible users of a guest changed completely.
  if (events === undefined) return;
  for (const event of events) {
    unknown.add(event as ServerEvent, client.userId);
    directory.apply(event as ServerEvent);
  }
  const fresh = await client.register(parameters);
  const known = { bots: directory.bots.isComplete, hasSubscribers: parameters.include_subscribers !== false };
  assert.deepEqual(
    unknown.without(directory, known),
    unknown.without(new Directory(fresh.state as InitialState), known),
  );
  await client.ok('DELETE', '/events', { queue_id: fresh.id });
  await client.ok('DELETE', '/events', { queue_id: queue.id });
}

let runs = 0;

test('a directory that applied its events equals that of a new registration', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 30, maxLength: 60 }),
      fc.nat({ max: 20 }),
      fc.array(registration, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
      async (operations, moment, registrations, hides) => {
        const world = await World.begin(server, residents, `run ${runs++}`, hides);
        for (const one of operations.slice(0, moment)) await world.perform(one);
        const watchers = await watchAll(world, registrations);
        for (const one of operations.slice(moment)) await world.perform(one);
        for (const watcher of watchers) await compare(watcher);
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});

test('the same holds when operations run concurrently while clients register', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 20, maxLength: 40 }),
      fc.array(registration, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
      async (operations, registrations, hides) => {
        const world = await World.begin(server, residents, `run ${runs++}`, hides);
        const half = Math.floor(operations.length / 2);
        for (const one of operations.slice(0, half)) await world.perform(one);
        const performing = operations.slice(half).map((one) => world.perform(one));
        const watchers = await watchAll(world, registrations);
        await Promise.all(performing);
        for (const watcher of watchers) await compare(watcher);
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
});
