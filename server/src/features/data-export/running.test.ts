/** Exports that wait for the storage. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { features } from '../../all-features.ts';
import { Jobs } from '../../jobs/jobs.ts';
import type { Storage } from '../../storage/storage.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import { heldLongJobs } from '../../testing/database/job-table.ts';
import { silent } from '../../testing/database/log.ts';
import { downloaded } from '../../testing/server/exported.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { Archive } from './archive.ts';
import { buildArchive } from './building.ts';
import { copyFiles } from './files.ts';
import type { ExportRow } from './queries.ts';

let server: TestServer;
let owner: TestClient;
let message: number;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  await server.emptyChannel(owner, 'square');
  // More than all buffers between the database and the storage.
  for (let count = 0; count < 50; count += 1)
    await owner.send('square', 'x', randomBytes(5000).toString('hex').slice(0, 9000));
  message = await owner.send('square', 'x', 'the last one');
});
after(() => server.stop());

/** Waits until the archive has written as much as its buffer takes. */
async function isStalled(content: Readable): Promise<void> {
  await until(() => content instanceof PassThrough && content.writableNeedDrain, 'a full buffer of the archive');
}

/** Lets the next archive wait until `go` is called. */
function holdStorage(t: TestContext) {
  const { storage } = server.app;
  const put = storage.put.bind(storage);
  const begun = Promise.withResolvers<Readable>();
  const gate = Promise.withResolvers<void>();
  t.mock.method(storage, 'put', async (...[key, content]: Parameters<Storage['put']>) => {
    begun.resolve(content);
    await gate.promise;
    await put(key, content);
  });
  t.after(() => gate.resolve());
  return { stalled: begun.promise.then(isStalled), go: gate.resolve };
}

const request = async (): Promise<number> => (await owner.ok('POST', '/export/realm')).id;

/** Transactions of exports. */
async function snapshots(): Promise<number> {
  const { rows } = await sql`
    SELECT pid FROM pg_stat_activity
     WHERE application_name = 'heddle background' AND datname = current_database() AND state LIKE 'idle in transaction%'`.execute(
    server.app.db,
  );
  return rows.length;
}

// rules: exports-7
test('while an export runs, its job has no transaction, and no other process runs it', async (t) => {
  const { stalled, go } = holdStorage(t);
  const id = await request();
  await stalled;
  const [held, ...others] = await heldLongJobs(server.app.db);
  assert.deepEqual([held?.state, held?.backend_xid, held?.backend_xmin, others], ['idle', null, null, []]);
  await until(async () => (await snapshots()) === 1, 'the transaction of the export');

  await sql`UPDATE jobs SET due_at = now() WHERE kind = 'build-data-export'`.execute(server.app.db);
  const other = new Jobs({ settings: { connectionString: server.shared.url }, log: silent });
  t.after(() => other.stop(1000));
  const jobs = features.flatMap((feature) => feature.jobs?.(server.app, { stateParts: [], exports: [] }) ?? []);
  await other.start(jobs.filter(({ kind }) => kind.name === 'build-data-export'));
  await other.settled();
  const { rows } = await sql<{ attempts: number }>`
    SELECT attempts FROM jobs WHERE kind = 'build-data-export'`.execute(server.app.db);
  assert.deepEqual(rows, [{ attempts: 1 }]);

  go();
  await server.app.jobs.settled();
  await downloaded(owner, id);
});

// rules: exports-7
test('an export whose connection ends is made again', async (t) => {
  const { stalled, go } = holdStorage(t);
  const id = await request();
  await stalled;
  const [held] = await heldLongJobs(server.app.db);
  await sql`SELECT pg_terminate_backend(${held?.pid})`.execute(server.app.db);
  await until(async () => (await heldLongJobs(server.app.db)).length === 0, 'the long job to be released');
  go();
  await server.app.jobs.settled();
  await sql`UPDATE jobs SET due_at = now() WHERE kind = 'build-data-export'`.execute(server.app.db);
  await server.app.jobs.settled();
  const { rows } = await sql`SELECT id FROM jobs WHERE kind = 'build-data-export'`.execute(server.app.db);
  assert.deepEqual(rows, []);
  assert.equal((await downloaded(owner, id)).manifest.type, 'public');
});

// rules: exports-4
test('all rows are from one snapshot, although the organization changes meanwhile', async (t) => {
  await owner.ok('POST', '/users/me/status', { status_text: 'before' });
  const { stalled, go } = holdStorage(t);
  const id = await request();
  await stalled;
  await owner.ok('POST', '/users/me/status', { status_text: 'after' });
  await owner.ok('POST', `/messages/${message}/reactions`, { emoji_name: 'octopus' });
  const later = await owner.send('square', 'x', 'sent after the snapshot');
  go();
  await server.app.jobs.settled();
  const { rows, manifest, text } = await downloaded(owner, id);
  assert.deepEqual(
    rows('user_statuses').map(({ status_text: status }) => status),
    ['before'],
  );
  assert.deepEqual(rows('reactions'), []);
  assert.doesNotMatch(text, /sent after the snapshot/);
  assert(manifest.last_message_id < later);
});

// rules: exports-7
test('the snapshot ends after its timeout, although the storage accepts nothing', async () => {
  const { app } = server;
  const storage: Storage = Object.assign(Object.create(app.storage), {
    async put(_: string, content: Readable) {
      await once(content, 'close');
      throw new Error('the archive is closed');
    },
  });
  const organization = await app.organizations.bySubdomain('');
  assert(organization !== undefined);
  const { rows } = await sql<{ row: object & ExportRow }>`
    SELECT to_jsonb(data_exports) || jsonb_build_object('organization_id', ${organization.id}::integer) AS row
      FROM data_exports LIMIT 1`.execute(app.db);
  const row = { ...(rows[0]?.row ?? assert.fail('there is no export')), requested_at: new Date() };
  const signal = new AbortController().signal;
  const exports = features.flatMap((feature) => feature.exports ?? []);
  const building = { row, key: 'a', signal, log: silent, snapshotTimeoutMs: 300 };
  await assert.rejects(buildArchive({ ...app, storage }, exports, building), /the snapshot lasted longer than 0.3 s/);
  await until(async () => (await snapshots()) === 0, 'the snapshot to end');
});

test('a file that an aborted attempt has opened is closed', async () => {
  const { app } = server;
  const { rows } = await sql<{ id: number; organization_id: number }>`
    INSERT INTO attachments (organization_id, owner_id, path_id, storage_key, name, content_type, size)
    SELECT organization_id, id, 'x', 'x', 'x', 'text/plain', 5 FROM users WHERE id = ${owner.userId}
    RETURNING id, organization_id`.execute(app.db);
  const [attachment] = rows;
  assert(attachment !== undefined);
  const attempt = new AbortController();
  const opened = new PassThrough();
  const storage: Storage = Object.assign(Object.create(app.storage), {
    async get() {
      attempt.abort(new Error('the attempt is over'));
      return opened;
    },
    async put(_: string, content: Readable) {
      await once(content, 'close');
      throw new Error('the archive is closed');
    },
  });
  const files = { folder: 'uploads', name: 'id', key: 'storage_key', size: 'size' };
  const named = [{ table: 'attachments', files, ids: [attachment.id] }];
  const filling = Archive.store(storage, 'a', attempt.signal, async (archive) => {
    await copyFiles({ db: app.db, storage }, attachment.organization_id, { named, archive, report: () => undefined });
  });
  await assert.rejects(filling, /the attempt is over/);
  assert.equal(opened.destroyed, true);
});
