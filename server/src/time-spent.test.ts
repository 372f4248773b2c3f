/** A request knows where its time goes, through all layers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GroupCommit } from './log/group-commit.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';
import { TimeSpent, timeOfRequest, within } from './time-spent.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent' } });
});
after(() => server.stop());

test('a transaction counts its connection, its lock and its statements for its request', async () => {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const time = new TimeSpent();
  await within(time, () => organization.transact('server', 'exclusive', async () => undefined));
  assert.ok(time.in('lock') > 0);
  assert.ok(time.in('database') > 0);
  assert.ok(time.in('connection') > 0);
});

test('two transactions in turn count for their own requests', async () => {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const times = [new TimeSpent(), new TimeSpent()];
  const seen: (TimeSpent | undefined)[] = [];
  const act = async () => {
    await null;
    seen.push(timeOfRequest());
  };
  await Promise.all(times.map((time) => within(time, () => organization.transact('server', 'exclusive', act))));
  assert.ok(seen[0] === times[0] && seen[1] === times[1]);
});

test('a batch counts for no request, and each of its items waits for it', async () => {
  let committing: TimeSpent | undefined | 'none' = 'none';
  const batches = new GroupCommit<number, number>({
    async commit(items) {
      committing = timeOfRequest();
      await new Promise((resolve) => setImmediate(resolve));
      return items.map((result) => ({ result }));
    },
    mayRetrySingly: () => false,
  });
  const times = [new TimeSpent(), new TimeSpent()];
  await Promise.all(times.map((time) => within(time, () => batches.add(1))));
  assert.equal(committing, undefined);
  for (const time of times) assert.ok(time.in('batch') > 0);
});
