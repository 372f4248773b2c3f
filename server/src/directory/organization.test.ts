import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import { deactivateUser } from '../domain/accounts/accounts/actions.ts';
import { startTestServer, type TestServer } from '../testing/server/server.ts';
import { until } from '../testing/server/until.ts';
import { type Planning, ReadApartError, type ReadMore } from './reading.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

test('a request of a user who is deactivated before the transaction begins changes nothing', async () => {
  const client = await server.user();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const letIn = organization.directory.user(client.userId);
  assert(letIn !== undefined);
  await deactivateUser(server.app, organization, client.userId);
  const position = organization.position;
  await assert.rejects(
    organization.transact(letIn, 'exclusive', async ({ append }) => {
      append({ type: 'typing', audience: { to: 'everyone' }, body: {} });
    }),
    { code: 'USER_DEACTIVATED' },
  );
  assert.equal(organization.position, position);
});

test('deactivating a user ends their pending polls at once', async () => {
  const client = await server.user();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const queue = await client.register({ event_types: ['message'] });
  const held = client.call('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  await until(() => organization.polls.waiting > 0, 'a held poll');
  await deactivateUser(server.app, organization, client.userId);
  const { status, body } = await held;
  assert.equal(status, 400);
  assert.equal(body.code, 'BAD_EVENT_QUEUE_ID');
});

test('a deactivated user receives no later event, even from the same commit', async () => {
  const client = await server.user();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await client.subscribe('closing');
  await server.owner.subscribe('closing');
  const queue = await client.register({ event_types: ['message', 'realm'] });
  const held = client.call('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  await until(() => organization.polls.waiting > 0, 'a held poll');
  await organization.transact('server', 'exclusive', async ({ directory, append }) => {
    const user = directory.user(client.userId);
    const deltas = [{ delta: 'user', user: { ...user, isActive: false } }];
    append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
    append({ type: 'realm', audience: { to: 'everyone' }, body: { op: 'update', settings: {} } });
  });
  assert.equal((await held).body.code, 'BAD_EVENT_QUEUE_ID');
});

test('a request authenticated before its user was deactivated receives no later event', async () => {
  const client = await server.user();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const { id, lastEventId } = await client.register({ event_types: ['message', 'realm'] });
  const queue = await server.app.queues.find(organization.id, id);
  assert(queue !== undefined);
  await organization.transact('server', 'exclusive', async ({ directory, append }) => {
    const user = directory.user(client.userId);
    const deltas = [{ delta: 'user', user: { ...user, isActive: false } }];
    append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
  });
  await organization.transact('server', 'exclusive', async ({ append }) => {
    append({ type: 'realm', audience: { to: 'everyone' }, body: { op: 'update', settings: {} } });
  });
  assert.deepEqual(await organization.polls.poll({ queue, lastEventId, block: false }), { events: [] });
});

/** Identifies the connection and its transaction. */
const ASKED = sql<{ asked: string }>`SELECT concat(pg_backend_pid(), ' since ', transaction_timestamp()) AS asked`;
const askedBy = async (db: Db) => (await ASKED.execute(db)).rows[0]?.asked;

/** The directory changes while the first plan runs, so the read is planned again. */
function overtakenPlan() {
  const plans: unknown[] = [];
  return {
    plans,
    async plan({ db }: Planning<undefined>) {
      plans.push(await askedBy(db));
      if (plans.length === 1) await server.user();
    },
  };
}

test('a repeated plan reads the same snapshot as its statement', async () => {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const { plans, plan } = overtakenPlan();
  const statement = await organization.readAtOnce(undefined, async (planning) => {
    await plan(planning);
    return { statement: ASKED, result: ([row]: readonly { asked: string }[]) => row?.asked };
  });
  assert.notEqual(plans[0], statement);
  assert.deepEqual(plans.slice(1), [statement]);
});

test('a repeated plan with several steps reads one snapshot in all of them', async () => {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const { plans, plan } = overtakenPlan();
  const [statement, rest] = await organization.readAtOnce(undefined, async (planning) => {
    await plan(planning);
    const result = async ([row]: readonly { asked: string }[], read: ReadMore) => [
      row?.asked,
      (await read(ASKED))[0]?.asked,
    ];
    return { statement: ASKED, result };
  });
  assert.notEqual(plans[0], statement);
  assert.deepEqual([...plans.slice(1), rest], [statement, statement]);
});

test('steps that read inconsistent rows are repeated in one snapshot', async () => {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const steps = await organization.readAtOnce(undefined, async () => ({
    statement: ASKED,
    async result([row]: readonly { asked: string }[], read: ReadMore) {
      const [more] = await read(ASKED);
      if (more?.asked !== row?.asked) throw new ReadApartError('two transactions');
      return [row?.asked, more?.asked];
    },
  }));
  assert.equal(steps[0], steps[1]);
});

test('a second step that is newer than the directory repeats the read', async () => {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const attempts: number[] = [];
  const found = await organization.readAtOnce(undefined, async ({ directory }) => ({
    statement: ASKED,
    async result(_rows: readonly { asked: string }[], read: ReadMore) {
      attempts.push(directory.users.size);
      if (attempts.length === 1) await server.user();
      await read(ASKED);
      return directory.users.size;
    },
  }));
  assert.equal(attempts.length, 2);
  assert.equal(found, attempts[1]);
});
