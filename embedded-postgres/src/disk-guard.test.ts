import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../server/src/testing/server/until.ts';
import { diskLimits } from './reserve.ts';
import { command, query, serve } from './testing/fixture.ts';
import { fill, smallDisk } from './testing/small-disk.ts';

const AHEAD = `
  SELECT count(*)::int AS ahead FROM pg_ls_waldir()
   WHERE name ~ '^[0-9A-F]{24}$' AND name > pg_walfile_name(pg_current_wal_insert_lsn())`;
const FULL = 'the disk is almost full: changes are refused until there is space';
const SPACE = 'the disk has space again: changes are accepted';

test('an almost full disk makes all sessions read-only; files of the log exist in advance, so nothing panics', async (t) => {
  const disk = smallDisk(t, 500);
  if (disk === null) return;
  const dataDirectory = join(disk, 'data');
  // It stops before the disk goes.
  await using embedded = await serve(dataDirectory);
  const home = join(dataDirectory, 'postgres');
  await until(
    () => sizeOf(join(home, 'reserve')) === diskLimits({ totalBytes: 500 * 1024 ** 2 }).reserveBytes,
    'the reserve',
  );
  const ahead = async () => (await query(embedded.connection, AHEAD))[0]?.ahead;
  await until(async () => Number(await ahead()) >= 2, 'files of the log in advance');
  await query(embedded.connection, 'CREATE TABLE kept (id int)', 'INSERT INTO kept VALUES (1)');

  const full = embedded.says(({ msg }) => msg === FULL);
  const ballast = join(disk, 'ballast');
  fill(ballast);
  await full;
  await until(() => sizeOf(join(home, 'reserve')) <= 1024 ** 2, 'the release of the reserve');
  // Another program takes that space too.
  fill(join(disk, 'more'));
  await assert.rejects(query(embedded.connection, 'INSERT INTO kept VALUES (2)'), /read-only transaction/);
  // Without a file in advance, the switch would panic.
  await query(embedded.connection, 'SELECT pg_switch_wal()', 'CHECKPOINT');
  assert.deepEqual(await query(embedded.connection, 'SELECT id FROM kept'), [{ id: 1 }]);
  const attached = await command(dataDirectory);
  await assert.rejects(query(attached.connection, 'INSERT INTO kept VALUES (3)'), /read-only transaction/);
  await attached.stop();
  assert.doesNotMatch(readFileSync(join(home, 'postgres.log'), 'utf8'), /PANIC/);

  const space = embedded.says(({ msg }) => msg === SPACE);
  rmSync(ballast);
  await space;
  await query(embedded.connection, 'INSERT INTO kept VALUES (4)');
  await until(() => sizeOf(join(home, 'reserve')) > 1024 ** 2, 'a new reserve');
  assert.equal(embedded.said.filter(({ msg }) => msg === FULL).length, 1);
});

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
