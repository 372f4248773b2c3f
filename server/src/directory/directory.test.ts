import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { directoryParts } from '../all-features.ts';
import { allow } from '../db/transaction.ts';
import { changeWithin } from '../log/change.ts';
import { LogTrimmedError } from '../log/event-buffer.ts';
import { trimLogs } from '../log/retention.ts';
import type { TestClient } from '../testing/clients/client.ts';
import { dumpDirectory } from '../testing/database/directory-dump.ts';
import { KEPT_FOR_QUEUES } from '../testing/database/log.ts';
import { operation, World } from '../testing/operations/operations.ts';
import { fc } from '../testing/random/property.ts';
import { startTestServer, type TestServer } from '../testing/server/server.ts';
import { until } from '../testing/server/until.ts';
import { loadDirectory } from './load.ts';
import type { Organization } from './organization.ts';

let server: TestServer;
/** A process that learns of every change from the `events` table. */
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

async function organizationOf(of: TestServer): Promise<Organization> {
  const organization = await of.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  return organization;
}

async function trimmedThrough(): Promise<number> {
  const row = await server.app.db.selectFrom('logs').select('trimmed_through').executeTakeFirstOrThrow();
  return row.trimmed_through;
}

let runs = 0;

test('after any sequence of operations, a directory with applied events equals a freshly loaded one, including its history', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 10, maxLength: 40 }),
      fc.constantFrom('one by one', 'at once'),
      fc.boolean(),
      async (operations, pace, trims) => {
        const world = await World.begin(server, residents, `run ${runs++}`);
        if (pace === 'one by one') for (const one of operations) await world.perform(one);
        else await Promise.all(operations.map((one) => world.perform(one)));
        const organizations = [await organizationOf(server), await organizationOf(other)];
        for (const organization of organizations) await organization.catchUp();
        if (trims) await trimLogs(server.app.db, KEPT_FOR_QUEUES);

        const trimmed = await trimmedThrough();
        const loaded = await loadDirectory(server.app.db, organizations[0]?.id ?? 0, directoryParts);
        assert(loaded !== undefined);
        const expected = dumpDirectory(loaded, trimmed);
        for (const organization of organizations) {
          organization.trimmedThrough(trimmed);
          assert.deepEqual(dumpDirectory(organization.directory, trimmed), expected);
        }
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});

test('an organization that missed trimmed events refuses changes and is reloaded', async () => {
  const lost = await organizationOf(other);
  await lost.catchUp();
  // In one transaction, so that the process cannot learn of the change in time.
  await server.app.db.transaction().execute(async (transaction) => {
    await allow(transaction, { pause: 60_000 });
    await changeWithin(transaction, lost.id, async ({ db, append }) => {
      const organization = { ...lost.directory.organization, name: 'Renamed' };
      await db.updateTable('organizations').set({ name: organization.name }).where('id', '=', lost.id).execute();
      append({
        type: 'realm',
        audience: { to: 'nobody' },
        body: null,
        deltas: [{ delta: 'organization', organization }],
      });
    });
    // Ignores queues too: some operations leave queues behind.
    await trimLogs(transaction, { minSeconds: -1, maxSeconds: -1, maxEvents: 0 });
  });
  await assert.rejects(
    lost.transact('server', 'exclusive', async () => assert.fail('the directory is not exact')),
    LogTrimmedError,
  );
  const organization = await until(async () => {
    const found = await organizationOf(other);
    return found === lost ? undefined : found;
  }, 'the organization to be loaded again');
  assert.equal(organization.directory.organization.name, 'Renamed');
  await organization.transact('server', 'exclusive', async ({ position, directory }) =>
    assert.equal(directory.changedAt, position.directoryHead),
  );
});
