import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { AddressVisibility } from '../../access/addresses.ts';
import { Role } from '../../directory/records.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { isFromNow } from '../../testing/clients/times.ts';
import { collectFiles, keysOnDisk, open } from '../../testing/clients/user-files.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { exceeds, MAX_SIZE } from './limits.ts';

let server: TestServer;
let owner: TestClient;
let administrator: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer({ recurringJobs: ['delete-old-archives'] });
  owner = server.owner;
  administrator = await server.user({ role: Role.administrator });
  member = await server.user();
});
after(() => server.stop());
beforeEach(async () => {
  await server.app.jobs.settled();
  const { rows } = await sql`SELECT last_error FROM jobs WHERE kind = 'build-data-export'`.execute(server.app.db);
  assert.deepEqual(rows, [], 'no export waits for a retry');
  await sql`UPDATE data_exports SET requested_at = now() - interval '8 days'`.execute(server.app.db);
});

const PATH = '/export/realm';

const request = async (client: TestClient, type?: 1 | 2): Promise<number> =>
  (await client.ok('POST', PATH, { export_type: type })).id;

const listed = async (id: number): Promise<Json> =>
  (await owner.ok('GET', PATH)).exports.find((one: Json) => one.id === id) ?? assert.fail(`there is no export ${id}`);

async function made(client = owner): Promise<Json> {
  const id = await request(client);
  await server.app.jobs.settled();
  return listed(id);
}

async function messageOf(answer: Promise<Json>): Promise<string> {
  return (await answer).msg;
}

// rules: exports-1
test('an export is listed while it is in progress, and then with its archive', async () => {
  const queue = await administrator.register({ event_types: ['realm_export'] });
  const id = await request(administrator);
  const [pending, update] = (await queue.take(2))
    .flatMap(({ exports }) => exports)
    .filter((one: Json) => one.id === id);
  assert.deepEqual(pending, {
    ...{ id, acting_user_id: administrator.userId, export_time: pending.export_time, export_type: 1 },
    ...{ deleted_timestamp: null, failed_timestamp: null, export_url: null, pending: true },
  });
  assert(isFromNow(pending.export_time));
  await server.app.jobs.settled();
  const done = await listed(id);
  assert.deepEqual(done, { ...pending, pending: false, export_url: done.export_url });
  assert(done.export_url.startsWith(`${server.url}/user_exports/${id}/`), done.export_url);
  assert.deepEqual(update, done);
});

// rules: exports-1
test('administrators receive an event for each change of the list, other users do not', async () => {
  const [queue, elsewhere] = await Promise.all(
    [owner, member].map((one) => one.register({ event_types: ['realm_export'] })),
  );
  const { id } = await made();
  await administrator.ok('DELETE', `${PATH}/${id}`);
  const events = await queue?.take(3);
  const states = events?.map(({ type, exports }) => [type, exports.find((one: Json) => one.id === id)]);
  assert.deepEqual(
    states?.map(([type, one]) => [type, one.pending, one.export_url !== null, one.deleted_timestamp !== null]),
    [
      ['realm_export', true, false, false],
      ['realm_export', false, true, false],
      ['realm_export', false, false, true],
    ],
  );
  assert.deepEqual(await elsewhere?.now(), []);
});

// rules: exports-2
test('only administrators can request, list, delete and download', async () => {
  const { id, export_url: url } = await made();
  const others = [await server.user({ role: Role.moderator }), member, await server.user({ role: Role.guest })];
  for (const one of others) {
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['DELETE', `${PATH}/${id}`],
    ] as const) {
      assert.equal((await one.fails(method, path)).code, 'UNAUTHORIZED_PRINCIPAL');
    }
    assert.equal((await open('', one, url)).status, 400);
  }
  assert.equal((await open('', undefined, url)).status, 401);
  assert.equal((await open('', administrator, url)).status, 200);
});

// rules: exports-2
test('an archive is downloaded as a file, supports ranges, and is not cached', async () => {
  const { export_url: url } = await made();
  const whole = await open('', owner, url);
  const bytes = Buffer.from(await whole.arrayBuffer());
  assert.equal(whole.headers.get('content-type'), 'application/zip');
  assert.match(
    whole.headers.get('content-disposition') ?? '',
    /^attachment; filename="?export-\d+-public-[\d-]+\.zip"?$/,
  );
  assert.equal(whole.headers.get('cache-control'), 'private, no-store');
  assert.equal(Number(whole.headers.get('content-length')), bytes.length);
  const part = await open('', owner, url, { range: 'bytes=10-29' });
  assert.equal(part.status, 206);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 30));
});

// rules: exports-3
test('a deleted archive is gone, and invalid deletions are refused', async () => {
  const { id, export_url: url } = await made();
  await collectFiles(server);
  const before = (await keysOnDisk(server)).length;
  await owner.ok('DELETE', `${PATH}/${id}`);
  assert.equal((await open('', owner, url)).status, 404);
  await collectFiles(server);
  assert.equal((await keysOnDisk(server)).length, before - 1);
  const gone = await listed(id);
  assert.equal(gone.export_url, null);
  assert(gone.deleted_timestamp > 0);
  assert.equal(await messageOf(owner.fails('DELETE', `${PATH}/${id}`)), 'Export already deleted');
  assert.equal(await messageOf(owner.fails('DELETE', `${PATH}/1000000`)), 'Invalid data export ID');
  const foreign = await server.organization(`other${id}`);
  assert.equal(await messageOf(foreign.fails('DELETE', `${PATH}/${id}`)), 'Invalid data export ID');
});

// rules: exports-3
test('an organization has five exports per week, including deleted ones', async () => {
  const [first] = [await made(), await made(), await made(), await made(), await made()];
  await owner.ok('DELETE', `${PATH}/${first?.id}`);
  assert.equal(await messageOf(administrator.fails('POST', PATH)), 'Exceeded rate limit.');
  await sql`
    UPDATE data_exports SET requested_at = now() - interval '169 hours' WHERE id = ${first?.id}`.execute(server.app.db);
  await request(administrator);
});

// rules: exports-3
test('the export of an organization that is too large is refused', async () => {
  const { db } = server.app;
  const foreign = await server.organization('large');
  const organization = await server.app.organizations.bySubdomain('large');
  assert(organization !== undefined);
  const { id } = organization;
  await sql`
    INSERT INTO upload_space VALUES (${id}, ${20 * 1024 ** 3 + 1})
    ON CONFLICT (organization_id) DO UPDATE SET bytes = excluded.bytes`.execute(db);
  assert.match(await messageOf(foreign.fails('POST', PATH)), /too large/);
  await sql`UPDATE upload_space SET bytes = ${20 * 1024 ** 3} WHERE organization_id = ${id}`.execute(db);
  await foreign.ok('POST', PATH);
});

// rules: exports-3
test('the limits count the messages and files that exist', async () => {
  const { db } = server.app;
  const small = await server.organization('small');
  await server.app.jobs.settled();
  const organization = await server.app.organizations.bySubdomain('small');
  assert(organization !== undefined);
  const { id } = organization;
  const { rows } = await sql<{ messages: number }>`
    SELECT count(*) AS messages FROM messages WHERE organization_id = ${id}`.execute(db);
  const before = rows[0]?.messages ?? 0;
  const sent = [await small.direct([small.userId], 'one'), await small.direct([small.userId], 'two')];
  const messages = before + 1;
  assert.equal(await exceeds(db, id, { ...MAX_SIZE, messages: messages + 1 }), false);
  assert.equal(await exceeds(db, id, { ...MAX_SIZE, messages }), true);
  await small.ok('DELETE', `/messages/${sent[0]}`);
  assert.equal(await exceeds(db, id, { ...MAX_SIZE, messages }), false);

  await sql`
    INSERT INTO attachments (organization_id, owner_id, path_id, storage_key, name, content_type, size)
    SELECT ${id}, ${small.userId}, n, n, 'x', 'text/plain', 0 FROM generate_series(1, 3) AS n`.execute(db);
  assert.equal(await exceeds(db, id, { ...MAX_SIZE, files: 3 }), false);
  assert.equal(await exceeds(db, id, { ...MAX_SIZE, files: 2 }), true);
  assert.deepEqual([MAX_SIZE.messages, MAX_SIZE.files], [1_000_000, 200_000]);
});

// rules: exports-3
test('an owner must let private data be exported, or let members see their address', async () => {
  const other = await server.organization('strict');
  assert.match(await messageOf(other.fails('POST', PATH, { export_type: 2 })), /must allow the export/);
  for (const visibility of [AddressVisibility.nobody, AddressVisibility.administrators]) {
    await other.ok('PATCH', '/settings', { email_address_visibility: visibility });
    assert.match(await messageOf(other.fails('POST', PATH)), /must let members see/);
  }
  await other.ok('PATCH', '/settings', { allow_private_data_export: true });
  await other.ok('POST', PATH, { export_type: 2 });
  await other.ok('PATCH', '/settings', { email_address_visibility: AddressVisibility.members });
  await other.ok('POST', PATH);
});

// rules: exports-3
test('an archive is deleted after 30 days', async () => {
  const { db, jobs } = server.app;
  const [old, young] = [await made(), await made()];
  const age = (id: number, hours: number) =>
    sql`UPDATE data_exports SET completed_at = now() - make_interval(hours => ${hours}) WHERE id = ${id}`.execute(db);
  await age(old.id, 30 * 24 + 1);
  await age(young.id, 30 * 24 - 1);
  const queue = await administrator.register({ event_types: ['realm_export'] });
  await collectFiles(server);
  const before = (await keysOnDisk(server)).length;
  await sql`UPDATE jobs SET due_at = now() WHERE kind = 'delete-old-archives'`.execute(db);
  await jobs.settled();
  const [event] = await queue.take(1);
  const now = await listed(old.id);
  assert.deepEqual([now.export_url, now.deleted_timestamp > 0], [null, true]);
  assert.deepEqual(
    event?.exports.find((one: Json) => one.id === old.id),
    now,
  );
  assert.equal((await open('', owner, old.export_url)).status, 404);
  assert.equal((await open('', owner, (await listed(young.id)).export_url)).status, 200);
  await collectFiles(server);
  assert.equal((await keysOnDisk(server)).length, before - 1);
});

test('an organization whose old archives cannot be deleted does not delay the others', async () => {
  const { db, jobs } = server.app;
  const other = await server.organization('aged');
  const ids: number[] = [];
  for (const { userId } of [owner, other]) {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO data_exports (organization_id, acting_user_id, type, completed_at)
      SELECT organization_id, id, 1, now() - interval '31 days' FROM users WHERE id = ${userId}
      RETURNING id`.execute(db);
    ids.push(rows[0]?.id ?? 0);
  }
  await sql`ALTER TABLE data_exports ADD CONSTRAINT stays CHECK (id <> ${sql.lit(ids[0])} OR deleted_at IS NULL)`.execute(
    db,
  );
  await sql`UPDATE jobs SET due_at = now() WHERE kind = 'delete-old-archives'`.execute(db);
  await jobs.settled();
  const { rows } = await sql<{ isDeleted: boolean }>`
    SELECT deleted_at IS NOT NULL AS "isDeleted" FROM data_exports WHERE id = ANY (${ids}::int[]) ORDER BY id`.execute(
    db,
  );
  await sql`ALTER TABLE data_exports DROP CONSTRAINT stays`.execute(db);
  await sql`DELETE FROM data_exports WHERE id = ${ids[0]}`.execute(db);
  assert.deepEqual(rows, [{ isDeleted: false }, { isDeleted: true }]);
});

test('an unknown type is refused', async () => {
  for (const type of [0, 3, 'public'])
    assert.equal((await owner.fails('POST', PATH, { export_type: type })).code, 'BAD_REQUEST');
});

// rules: exports-7
test('an export fails after four attempts, leaves no file, and cannot be deleted', async () => {
  const { db, jobs } = server.app;
  await made();
  await collectFiles(server);
  const known = await keysOnDisk(server);
  await sql`ALTER TABLE user_statuses RENAME TO lost_statuses`.execute(db);
  const queue = await administrator.register({ event_types: ['realm_export'] });
  const id = await request(owner);
  await queue.take(1);
  try {
    await jobs.settled();
    assert.equal(await messageOf(owner.fails('DELETE', `${PATH}/${id}`)), 'Export still in progress');
    let attempts = 1;
    for (; (await listed(id)).pending; attempts += 1) {
      await sql`UPDATE jobs SET due_at = now() WHERE kind = 'build-data-export'`.execute(db);
      await jobs.settled();
    }
    assert(attempts <= 4, `${attempts}`);
  } finally {
    await sql`ALTER TABLE lost_statuses RENAME TO user_statuses`.execute(db);
  }
  const failed = await listed(id);
  assert.deepEqual([failed.pending, failed.export_url, failed.failed_timestamp > 0], [false, null, true]);
  const [event] = await queue.take(1);
  assert.deepEqual(
    event?.exports.find((one: Json) => one.id === id),
    failed,
  );
  assert.equal(await messageOf(owner.fails('DELETE', `${PATH}/${id}`)), 'Export failed, nothing to delete');
  await collectFiles(server);
  assert.deepEqual((await keysOnDisk(server)).toSorted(), known.toSorted());
});

// rules: exports-7
test('an export whose process was killed in all four attempts fails in the fifth', async () => {
  const { db, jobs } = server.app;
  await sql`ALTER TABLE user_statuses RENAME TO lost_statuses`.execute(db);
  const id = await request(owner);
  await jobs.settled().finally(() => sql`ALTER TABLE lost_statuses RENAME TO user_statuses`.execute(db));
  assert.equal((await listed(id)).pending, true);
  await sql`UPDATE jobs SET attempts = 4, due_at = now() WHERE kind = 'build-data-export'`.execute(db);
  await jobs.settled();
  const failed = await listed(id);
  assert.deepEqual([failed.pending, failed.export_url, failed.failed_timestamp > 0], [false, null, true]);
});
