import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Organization } from '../../directory/organization.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { readEvents, readPosition } from '../../log/read.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

/** Two processes with the same writers at both. */
let servers: readonly TestServer[];
let organizations: readonly Organization[];
let writers: readonly (readonly TestClient[])[];
before(async () => {
  const environment = { HEDDLE_BUS: 'postgres' };
  const one = await startTestServer({ environment });
  const two = await startTestServer({ environment, shared: one.shared });
  servers = [one, two];
  const accounts = [one.owner, await one.user(), await one.user()];
  organizations = await Promise.all(
    servers.map(async (server) => {
      const organization = await server.app.organizations.bySubdomain('');
      assert(organization !== undefined);
      await organization.catchUp();
      return organization;
    }),
  );
  writers = await Promise.all(
    servers.map((server) => Promise.all(accounts.map((account) => server.sameUser(account)))),
  );
});
after(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

type Step =
  | { readonly do: 'send' | 'send to nowhere' | 'type' }
  | { readonly do: 'change'; readonly fate: 'commits' | 'throws' | 'fails in the database' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('send', 'send', 'send', 'type', 'type', 'send to nowhere') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      fate: fc.constantFrom('commits', 'throws', 'fails in the database'),
    }),
  },
);
/** For each process and each of its writers: the writer's steps, in order. */
const scripts = fc.array(fc.array(fc.array(step, { maxLength: 8 }), { minLength: 3, maxLength: 3 }), {
  minLength: 2,
  maxLength: 2,
});

const refused = new Error('refused');
let made = 0;
let committedInAll = 0;

async function write(
  process: number,
  writer: number,
  steps: readonly Step[],
  acknowledged: Map<number, string>,
): Promise<void> {
  const client = writers[process]?.[writer];
  const organization = organizations[process];
  assert(client !== undefined && organization !== undefined);
  for (const one of steps) {
    const text = `text ${made++}`;
    switch (one.do) {
      case 'send':
        acknowledged.set(await client.send('general', 'topic', text), text);
        break;
      case 'send to nowhere':
        await client.fails('POST', '/messages', { type: 'channel', to: 'nowhere', topic: 'a', content: text });
        break;
      case 'type':
        await client.ok('POST', '/typing', { op: 'start', to: [client.userId] });
        break;
      case 'change': {
        const change = organization.transact('server', 'exclusive', async ({ db, append }) => {
          await sql`INSERT INTO server_facts VALUES (${text}, '')`.execute(db);
          const body = { op: 'update', settings: {} };
          for (const fact of [1, 2])
            append({ type: 'realm', audience: { to: 'everyone' }, body: { ...body, text, fact } });
          if (one.fate === 'throws') throw refused;
          if (one.fate === 'fails in the database') await sql`SELECT 1 / 0`.execute(db);
        });
        if (one.fate === 'commits') await change;
        else await assert.rejects(change);
      }
    }
  }
}

/** Follows the log by polling for events after the last one received. */
async function follow(organizationId: number, start: number, isOver: () => boolean): Promise<LoggedEvent[]> {
  const { db } = servers[0]?.app ?? assert.fail();
  const seen: LoggedEvent[] = [];
  // timing: it follows until the writers end
  for (;;) {
    const over = isOver();
    const events = await readEvents(db, organizationId, start + seen.length, 100);
    for (const event of events) {
      assert.equal(event.id, start + seen.length + 1, 'no gap, and no event before those already received');
      seen.push(event);
    }
    if (over && events.length === 0) return seen;
  }
}

test('I1, I2: concurrent changes, sends and typing of two processes form one gapless log with gapless message ids', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async (plan) => {
      const [one] = servers;
      const id = organizations[0]?.id ?? 0;
      assert(one !== undefined);
      const start = await readPosition(one.app.db, id);
      const queues = await Promise.all(writers.map(([owner]) => owner?.register({ event_types: ['message'] })));
      const acknowledged = new Map<number, string>();
      let isOver = false;
      const following = [follow(id, start.head, () => isOver), follow(id, start.head, () => isOver)];
      const written = Promise.all(
        plan.flatMap((scriptsOfOne, process) =>
          scriptsOfOne.map((steps, writer) => write(process, writer, steps, acknowledged)),
        ),
      ).finally(() => {
        isOver = true;
      });
      const [[events = []]] = await Promise.all([Promise.all(following), written]);

      const end = await readPosition(one.app.db, id);
      assert.equal(end.head - start.head, events.length);
      const messages = events.filter((event) => event.type === 'message');
      assert.deepEqual(
        messages.map((event) => event.messageId),
        messages.map((_, index) => start.messageHead + 1 + index),
        'message ids have no gaps and increase with the event ids',
      );
      assert.equal(end.messageHead, start.messageHead + messages.length);
      assert.deepEqual(
        messages.map((event) => (event.body as { content: string }).content),
        [...acknowledged].toSorted(([a], [b]) => a - b).map(([, text]) => text),
        'the log has every acknowledged message once, and no other',
      );
      const stored = await sql<{ id: number; content: string }>`
        SELECT id, content FROM messages WHERE organization_id = ${id} AND id > ${start.messageHead} ORDER BY id`.execute(
        one.app.db,
      );
      assert.deepEqual(
        stored.rows.map((row) => [row.id, row.content]),
        [...acknowledged].toSorted(([a], [b]) => a - b),
      );
      const steps = plan.flat(2);
      const count = (what: Step['do']) => steps.filter((one) => one.do === what).length;
      assert.equal(events.filter((event) => event.type === 'typing').length, count('type'));
      const committed = steps.filter((one) => one.do === 'change' && one.fate === 'commits').length;
      const changes = events.filter((event) => event.type === 'realm');
      assert.equal(changes.length, 2 * committed);
      const facts = await sql<{ key: string }>`
        SELECT key FROM server_facts
         WHERE key = ANY (${changes.map((event) => (event.body as { text: string }).text)})`.execute(one.app.db);
      assert.equal(facts.rows.length, committed, 'a change has both its row and its events, or neither');
      const { rows } = await sql`SELECT FROM server_facts WHERE key LIKE 'text %'`.execute(one.app.db);
      committedInAll += committed;
      assert.equal(rows.length, committedInAll, 'a change that was rolled back leaves no row');

      for (const [index, queue] of queues.entries()) {
        await organizations[index]?.catchUp();
        const received = (await queue?.now())?.map((event) => event.message.id);
        assert.deepEqual(
          received,
          messages.map((event) => event.messageId),
          'each process delivers all messages in order',
        );
      }
    }),
    { numRuns: 10, endOnFailure: true },
  );
});
