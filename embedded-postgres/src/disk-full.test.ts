import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EmbeddedPostgresError } from './index.ts';
import { query, reaches, serve } from './testing/fixture.ts';
import { fill, smallDisk } from './testing/small-disk.ts';

test('a full disk is an outage with its reason; when space is free again PostgreSQL returns without data loss', async (t) => {
  const disk = smallDisk(t, 256);
  if (disk === null) return;
  const embedded = await serve(join(disk, 'data'));
  await query(embedded.connection, 'CREATE TABLE kept (id int PRIMARY KEY)', 'INSERT INTO kept VALUES (0)');
  const [down, up] = [reaches(embedded, 'down'), reaches(embedded, 'up')];
  const full = embedded.says((line) => /No space left on device/.test(JSON.stringify(line)));
  const ballast = join(disk, 'ballast');
  fill(ballast);

  // Writes mebibytes to the log beside each row, until the log needs a new file and the disk is full.
  let acknowledged = 0;
  const writing = (async () => {
    for (let mebibytes = 0; mebibytes < 1_000; mebibytes += 1) {
      const row = `INSERT INTO kept SELECT ${acknowledged + 1} FROM pg_logical_emit_message(true, '', repeat('x', 1000000))`;
      await query(embedded.connection, row);
      acknowledged += 1;
    }
  })();
  await assert.rejects(writing);
  await down;
  await full;

  rmSync(ballast);
  await up;
  const rows = await query(embedded.connection, `SELECT count(*)::int AS rows FROM kept WHERE id <= ${acknowledged}`);
  assert.deepEqual(rows, [{ rows: acknowledged + 1 }]);
  await query(embedded.connection, 'INSERT INTO kept VALUES (1000000)');
  await embedded.stop();
});

test('a first start on a full disk reports that and leaves nothing behind; with free space it succeeds', async (t) => {
  const disk = smallDisk(t, 256);
  if (disk === null) return;
  const dataDirectory = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  mkdirSync(join(dataDirectory, 'postgres'), { recursive: true });
  fill(ballast);
  // Space for the lock and the beginning of a cluster.
  execFileSync('truncate', ['--size=-4M', ballast]);
  await assert.rejects(serve(dataDirectory), isDiskFull);
  assert.deepEqual(readdirSync(join(dataDirectory, 'postgres')), ['socket']);
  rmSync(ballast);
  await (await serve(dataDirectory)).stop();
});

test('a start on a full disk reports that; with free space it succeeds', async (t) => {
  const disk = smallDisk(t, 256);
  if (disk === null) return;
  const dataDirectory = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  await (await serve(dataDirectory)).stop();
  fill(ballast);
  await assert.rejects(serve(dataDirectory), isDiskFull);
  rmSync(ballast);
  await (await serve(dataDirectory)).stop();
});

function isDiskFull(error: unknown): true {
  assert.ok(error instanceof EmbeddedPostgresError, String(error));
  assert.equal(error.code, 'DISK_FULL', error.message);
  assert.match(error.message, /Free some space/);
  return true;
}
