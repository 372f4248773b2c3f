import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { FollowedModel } from '../../../../client/testing/followed-model.ts';
import type { TestClient, TestQueue } from '../../testing/clients/client.ts';
import { operation, World } from '../../testing/operations/operations.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let residents: readonly TestClient[];
before(async () => {
  server = await startTestServer();
  residents = await World.residentsOf(server);
});
after(() => server.stop());

const TYPES = [
  undefined,
  [
    'message',
    'update_message',
    'delete_message',
    'reaction',
    'submessage',
    'update_message_flags',
    'starred_messages',
    'recent_private_conversations',
    'stream',
    'subscription',
    'user_topic',
    'muted_topics',
  ],
  ['stream', 'subscription', 'default_streams'],
  [
    'realm_user',
    'realm_bot',
    'user_group',
    'realm',
    'saved_snippets',
    'realm_emoji',
    'scheduled_messages',
    'reminders',
    'drafts',
    'navigation_view',
    'user_settings',
    'realm_user_settings_defaults',
    'presence',
    'realm_linkifiers',
    'realm_playgrounds',
    'user_status',
    'realm_domains',
    'invites_changed',
  ],
  ['update_display_settings', 'update_global_notifications'],
];

// Presence entries of the state and of events have the same keys only if the client requests both in the same format.
const registration = fc
  .record({
    event_types: fc.constantFrom(...TYPES),
    include_subscribers: fc.constantFrom(true, false, 'partial'),
    apply_markdown: fc.boolean(),
    client_gravatar: fc.boolean(),
    all_public_streams: fc.constant(false),
    client_capabilities: fc.record({
      notification_settings_null: fc.boolean(),
      archived_channels: fc.boolean(),
      bulk_message_deletion: fc.boolean(),
      include_deactivated_groups: fc.boolean(),
      empty_topic_name: fc.boolean(),
      stream_typing_notifications: fc.boolean(),
      user_settings_object: fc.boolean(),
      user_list_incomplete: fc.boolean(),
      simplified_presence_events: fc.boolean(),
      linkifier_url_template: fc.boolean(),
    }),
  })
  .map((one) => ({ ...one, slim_presence: one.client_capabilities.simplified_presence_events }));

interface Watcher {
  readonly client: TestClient;
  readonly queue: TestQueue;
  readonly followed: FollowedModel;
  readonly parameters: typeof registration extends fc.Arbitrary<infer Value> ? Value : never;
}

async function watch(client: TestClient, parameters: Watcher['parameters']): Promise<Watcher> {
  const queue = await client.register(parameters);
  const followed = new FollowedModel(client.userId, queue.state, {
    subscribers: parameters.include_subscribers !== false,
    placeholders: !parameters.client_capabilities.user_list_incomplete,
    archived: parameters.client_capabilities.archived_channels,
  });
  return { client, queue, followed, parameters };
}

/**
 * Applies the events of the watcher's queue and compares the result with the state of a new registration. If the queue
 * is gone, e.g. because a guest's accessible users changed completely, there is nothing to compare.
 */
async function compare({ client, queue, followed, parameters }: Watcher, hired: ReadonlySet<number>): Promise<void> {
  const events = await queue.pending();
  if (events === undefined) return;
  for (const event of events) followed.apply(event);
  const fresh = await client.register(parameters);
  followed.compare(fresh.state, hired);
  await followed.compareFetched(client);
  await client.ok('DELETE', '/events', { queue_id: fresh.id });
  await client.ok('DELETE', '/events', { queue_id: queue.id });
}

let runs = 0;

// rules: register-30
test('I7: a client that applies its events to its initial state always has the current state', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 30, maxLength: 50 }),
      fc.nat({ max: 20 }),
      fc.array(registration, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
      async (operations, moment, registrations, hides) => {
        const world = await World.begin(server, residents, `run ${runs++}`, hides);
        for (const one of operations.slice(0, moment)) await world.perform(one);
        const watchers: Watcher[] = [];
        for (const [index, client] of world.residents.entries()) {
          const parameters = registrations[index];
          if (parameters !== undefined) watchers.push(await watch(client, parameters));
        }
        for (const one of operations.slice(moment)) await world.perform(one);
        for (const watcher of watchers) await compare(watcher, world.hiredIds);
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});

test('I7: the same holds when operations run concurrently while clients register', async () => {
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
        const watchers = await Promise.all(
          world.residents.flatMap((client, index) => {
            const parameters = registrations[index];
            return parameters === undefined ? [] : watch(client, parameters);
          }),
        );
        await Promise.all(performing);
        for (const watcher of watchers) await compare(watcher, world.hiredIds);
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});
