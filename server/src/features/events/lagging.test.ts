import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { TestClient, TestQueue } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { type Operation, operation, World } from '../../testing/operations/operations.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { OF_DELETED } from '../reminders/text.ts';

let server: TestServer;
/** A process that learns of every event from the database table. */
let other: TestServer;
let residents: readonly TestClient[];
before(async () => {
  server = await startTestServer();
  other = await startTestServer({ shared: server.shared });
  residents = await World.residentsOf(server);
});
after(async () => {
  await other.stop();
  await server.stop();
});

/**
 * The queue is gone if the user became a guest who cannot access everybody, or stopped being one. That holds for every
 * way of reading it.
 */
type Got = readonly Json[] | 'gone';

/** A reader of every role, with queues of the same settings that are read in different ways. */
interface Reader {
  readonly client: TestClient;
  /** Always held by a request. */
  readonly held: Promise<Got>;
  /** Read after each operation. */
  readonly keptUp: { readonly queue: TestQueue; events: Json[] | 'gone' };
  /** Read at the end, by each of several processes. */
  readonly lagging: TestQueue;
}

const LAST = 'the last message of the run';
const isLast = (event: Json) => event.type === 'message' && event.message.content === LAST;

async function hold(queue: TestQueue): Promise<Got> {
  const events: Json[] = [];
  // timing: it reads until the run ends
  while (!events.some(isLast)) {
    const more = await queue.unlessGone('next');
    if (more === undefined) return 'gone';
    events.push(...more);
  }
  return events.filter((event) => event.type !== 'heartbeat');
}

async function read(client: TestClient, wanted: Json): Promise<Reader> {
  const { is_guest } = await client.ok('GET', '/users/me');
  const parameters = { ...wanted, all_public_streams: wanted.all_public_streams && !is_guest };
  const [held, keptUp, lagging] = [
    await client.register(parameters),
    await client.register(parameters),
    await client.register(parameters),
  ];
  return { client, held: hold(held), keptUp: { queue: keptUp, events: [] }, lagging };
}

/** Returns all events of the queue since its registration, read from this server. */
async function readAt(at: TestServer, { client, lagging }: Reader): Promise<Got> {
  const there = await at.sameUser(client);
  const events: Json[] = [];
  // timing: each response has events, or the test fails
  while (!events.some(isLast)) {
    const last_event_id = events.at(-1)?.id ?? lagging.state.last_event_id;
    const query = { queue_id: lagging.id, last_event_id, dont_block: true };
    const { body } = await there.call('GET', '/events', query);
    if (body.code === 'BAD_EVENT_QUEUE_ID') return 'gone';
    const more: Json[] = body.events;
    assert(more.length > 0, 'the queue holds all events up to the last message');
    events.push(...more);
  }
  return events;
}

/** The log redacts a deleted message: later readers receive only its deletion. */
async function stillThere(): Promise<(event: Json) => boolean> {
  const rows = await server.app.db.selectFrom('messages').select('id').execute();
  const ids = new Set(rows.map(({ id }) => id));
  return (event) => {
    if (event.type === 'message') return ids.has(event.message.id);
    if (event.type === 'reaction' || event.type === 'submessage' || event.type === 'update_message')
      return ids.has(event.message_id);
    const quoted = event.reminders?.find((reminder: Json) => reminder.content !== OF_DELETED);
    return quoted === undefined || ids.has(quoted.reminder_target_message_id);
  };
}

let runs = 0;

async function perform(operations: readonly Operation[], readers: readonly Reader[], world: World): Promise<void> {
  for (const one of operations) {
    await world.perform(one);
    await keepUp(readers);
  }
  const [first] = residents;
  assert(first !== undefined);
  await first.direct(
    residents.map(({ userId }) => userId),
    LAST,
  );
  await keepUp(readers);
}

async function keepUp(readers: readonly Reader[]): Promise<void> {
  for (const { keptUp } of readers) {
    if (keptUp.events === 'gone') continue;
    const more = await keptUp.queue.unlessGone('now');
    if (more === undefined) keptUp.events = 'gone';
    else keptUp.events.push(...more);
  }
}

test('I5: a lagging reader receives the same events as an up-to-date one, from every process, also from a new one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 20, maxLength: 40 }),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      async (operations, all_public_streams, include_subscribers, include_deactivated_groups, hides) => {
        const world = await World.begin(server, residents, `run ${runs++}`, hides);
        const client_capabilities = {
          archived_channels: true,
          bulk_message_deletion: include_subscribers,
          include_deactivated_groups,
          stream_typing_notifications: true,
        };
        const parameters = { all_public_streams, include_subscribers, client_capabilities };
        const readers: Reader[] = [];
        for (const client of residents) readers.push(await read(client, parameters));
        await perform(operations, readers, world);

        const isThere = await stillThere();
        const organization = await other.app.organizations.bySubdomain('');
        await organization?.catchUp();
        const restarted = await startTestServer({ shared: server.shared });
        try {
          for (const reader of readers) {
            const { events } = reader.keptUp;
            const expected = events === 'gone' ? events : events.filter(isThere);
            const held = await reader.held;
            // Between two of its requests this queue lags too.
            assert.deepEqual(held === 'gone' ? held : held.filter(isThere), expected, 'the queue with a pending poll');
            for (const at of [server, other, restarted]) assert.deepEqual(await readAt(at, reader), expected);
          }
        } finally {
          await restarted.stop();
        }
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
});
