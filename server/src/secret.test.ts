import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { openPool } from './db/pool.ts';
import { confirmSecret, loadSecret } from './secret.ts';
import { testDatabase } from './testing/database/database.ts';

const log = pino({ enabled: false });
const directory = await mkdtemp(join(tmpdir(), 'heddle-secret-'));
after(() => rm(directory, { recursive: true }));

test('the secret is created once, readable only by its owner', async () => {
  const data = join(directory, 'new', 'data');
  const secret = await loadSecret(data, log);
  assert.equal(secret.length, 32);
  assert.deepEqual(await loadSecret(data, log), secret);
  assert.equal((await stat(join(data, 'secret'))).mode & 0o777, 0o600);
});

test('processes that create the secret at the same time agree on one', async () => {
  const data = join(directory, 'race');
  const secrets = await Promise.all(Array.from({ length: 20 }, () => loadSecret(data, log)));
  assert.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, 1);
  assert.deepEqual(await readdir(data), ['secret']);
});

test('a damaged secret is refused, not replaced', async () => {
  await writeFile(join(directory, 'secret'), 'abc\n', { mode: 0o600 });
  await assert.rejects(loadSecret(directory, log), { name: 'SecretError' });
});

test('a database accepts only the first secret that it was used with', async () => {
  const database = await testDatabase();
  const pool = openPool(database.connection, log);
  try {
    const first = Buffer.alloc(32, 1);
    await Promise.all([confirmSecret(pool.db, first), confirmSecret(pool.db, first)]);
    await confirmSecret(pool.db, first);
    await assert.rejects(confirmSecret(pool.db, Buffer.alloc(32, 2)), { name: 'SecretError' });
  } finally {
    await pool.close();
    await database.drop();
  }
});
