import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient, TestQueue } from '../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../testing/server/server.ts';
import { until } from '../testing/server/until.ts';
import type { Organization } from './organization.ts';

let server: TestServer;
let owner: TestClient;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'fatal' } });
  owner = server.owner;
  await owner.subscribe('weaving');
});
after(() => server.stop());

let organization: Organization;
beforeEach(async () => {
  organization = await current();
});

/** Returns the organization that is served, and waits until there is one. */
function current(): Promise<Organization> {
  return until(() => server.app.organizations.bySubdomain('').catch(() => undefined), 'the organization to be loaded');
}

/** Commits an event with state deltas, as a newer version or a bug might write it. */
async function commit(deltas: readonly object[]): Promise<void> {
  await sql`
    WITH taken AS (
      UPDATE logs SET head = head + 1, directory_head = head + 1
       WHERE organization_id = ${organization.id} RETURNING head
    )
    INSERT INTO events (organization_id, id, type, audience, body, deltas)
    SELECT ${organization.id}, head, 'realm', '{"to":"nobody"}', 'null', ${JSON.stringify(deltas)} FROM taken`.execute(
    server.app.db,
  );
}

const texts = async (queue: TestQueue) => (await queue.now()).map((event) => event.message.content);

test('after an unknown state delta the process reloads the organization, and no queue misses an event', async () => {
  const queue = await owner.register({ event_types: ['message'] });
  await owner.send('weaving', 'topic', 'before');
  await commit([{ delta: 'weather', sun: true }]);
  await organization.catchUp();
  const reloaded = await current();
  assert.notEqual(reloaded, organization);
  assert.equal(reloaded.position, reloaded.directory.appliedThrough);
  await owner.send('weaving', 'topic', 'after');
  assert.deepEqual(await texts(queue), ['before', 'after']);
});

test('one unknown state delta prevents the whole event from being applied', async () => {
  const { directory } = organization;
  const renamed = { ...directory.organization, name: 'Half' };
  await commit([{ delta: 'organization', organization: renamed }, { delta: 'weather' }]);
  await organization.catchUp();
  assert.notEqual(directory.organization.name, 'Half');
});

test('after an event that cannot be applied, a concurrent change receives a response and the next one succeeds', async () => {
  await commit([{ delta: 'user', user: null }]);
  const { status } = await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'looms' }] });
  assert([200, 503].includes(status), `answered ${status}`);
  await current();
  await owner.subscribe('looms');
  await owner.send('looms', 'topic', 'goes on');
});

test('a poll held during a reload receives a response, and the client reads every event afterwards', async () => {
  const queue = await owner.register({ event_types: ['message'] });
  const held = owner.call('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
  await until(() => organization.polls.waiting > 0, 'a held poll');
  await commit([{ delta: 'weather' }]);
  await organization.catchUp();
  const { status } = await held;
  assert.equal(status, 200);
  await current();
  await owner.send('weaving', 'topic', 'after it');
  assert.deepEqual(await texts(queue), ['after it']);
});

/** Commits an event without state deltas for the owner. This process receives no wake-up for it. */
async function tellOwner(snippetId: number): Promise<void> {
  await sql`
    WITH taken AS (UPDATE logs SET head = head + 1 WHERE organization_id = ${organization.id} RETURNING head)
    INSERT INTO events (organization_id, id, type, audience, body)
    SELECT ${organization.id}, head, 'saved_snippets', ${JSON.stringify({ to: 'users', users: [owner.userId] })},
           ${JSON.stringify({ op: 'remove', snippetId })} FROM taken`.execute(server.app.db);
}

test('no queue advances past an event that cannot be applied until the organization is reloaded', async () => {
  const waiter = await owner.register({ event_types: ['saved_snippets'] });
  const idler = await owner.register({ event_types: ['message'] });
  const held = [waiter.next(), idler.next()] as const;
  await until(() => organization.polls.waiting >= 2, 'two held polls');
  // The process may look at the log as soon as the event is there.
  const lastGood = organization.position + 1;
  await tellOwner(1);
  await commit([{ delta: 'weather' }]);
  await tellOwner(2);
  await organization.catchUp();

  const answered = await held[0];
  assert.deepEqual(
    answered.map((event) => event.saved_snippet_id),
    [1],
  );
  await held[1];
  assert.equal(idler.lastEventId, lastGood, 'the heartbeat reports only events that this process examined');
  const queue = server.app.queues.inMemory(organization.id, waiter.id);
  assert(queue !== undefined);
  const late = { queue, lastEventId: waiter.lastEventId, block: true };
  assert.deepEqual(
    await organization.polls.poll(late),
    { events: [Buffer.from(`{"id":${lastGood},"type":"heartbeat"}`)] },
    'a request that reaches the dropped organization does not advance either',
  );
  await current();
  assert.deepEqual(
    (await waiter.now()).map((event) => event.saved_snippet_id),
    [2],
  );
});
