import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const MINUTE_MS = 60_000;

test('an organization leaves the memory half an hour after its last request, or some minutes after background work', async (t) => {
  const { organizations } = server.app;
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { id } = (await organizations.bySubdomain('')) ?? assert.fail();
  /** Which minutes after its last use it is in memory. */
  const isInMemoryAfter = (...minutes: readonly number[]) =>
    minutes.map((minute, place) => {
      t.mock.timers.tick((minute - (minutes[place - 1] ?? 0)) * MINUTE_MS);
      organizations.dropIdle();
      return organizations.inMemoryById(id) !== undefined;
    });
  assert.deepEqual(isInMemoryAfter(6, 29, 31), [true, true, false]);
  await organizations.byId(id);
  assert.deepEqual(isInMemoryAfter(4, 6), [true, false]);
  await organizations.byId(id);
  await server.owner.ok('GET', '/users/me');
  assert.deepEqual(isInMemoryAfter(6, 29, 31), [true, true, false]);
});
