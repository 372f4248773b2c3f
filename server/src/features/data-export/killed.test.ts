/** Kills a server while it makes an export. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import type { Json } from '../../testing/clients/json.ts';
import { accountAt } from '../../testing/faults/command-line-accounts.ts';
import { startKillable } from '../../testing/faults/killable-server.ts';
import { until } from '../../testing/server/until.ts';

// rules: exports-7
test('an interrupted export is built again after a kill, and leaves no other files', async (t) => {
  const server = await startKillable(t, { HEDDLE_RATE_LIMITS: 'off', HEDDLE_LOG_LEVEL: 'error' });
  let { url } = await server.listening;
  const client = new pg.Client(server.environment.HEDDLE_DATABASE_URL);
  t.after(() => client.end());
  client.on('error', () => undefined);
  await client.connect();
  const { email, apiKey } = await accountAt(server, 'Ada', '--role', 'administrator');
  const headers = { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` };
  const call = async (method: string, path: string): Promise<Json> =>
    (await fetch(`${url}/api/v1${path}`, { method, headers })).json();
  const keysOnDisk = async (): Promise<readonly string[]> => {
    const entries = await readdir(join(server.dataDirectory, 'files'), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };

  // This lock blocks the export, so that the kill certainly interrupts it.
  await client.query('BEGIN; LOCK TABLE user_statuses IN ACCESS EXCLUSIVE MODE');
  const { id } = await call('POST', '/export/realm');
  await until(async () => (await keysOnDisk()).length > 0, 'the file of the export');
  const [interrupted] = await keysOnDisk();
  await server.kill();
  await client.query('COMMIT');

  url = (await server.restart()).url;
  await client.query("UPDATE jobs SET due_at = now() WHERE kind = 'build-data-export'");
  const made: Json = await until(async () => {
    const { exports } = await call('GET', '/export/realm');
    const found = exports.find((one: Json) => one.id === id);
    return found.pending ? undefined : found;
  }, 'the export');
  assert.equal(made.failed_timestamp, null);
  const response = await fetch(made.export_url, { headers });
  assert.equal(response.status, 200);
  assert((await response.arrayBuffer()).byteLength > 1000);
  const { rows } = await client.query('SELECT storage_key AS key FROM data_exports');
  assert.notEqual(rows[0].key, interrupted);

  const { rows: due } = await client.query('SELECT key FROM storage_leftovers WHERE due_at <= now()');
  assert.deepEqual(due, [{ key: interrupted }]);
  await client.query("UPDATE jobs SET due_at = now() WHERE kind = 'collect-files'");
  await until(async () => (await keysOnDisk()).length === 1, 'the interrupted file to be removed');
  assert.deepEqual(await keysOnDisk(), [rows[0].key]);
});
