/**
 * Measures the live memory of the directory of an organization and the time to load it. Prints one line.
 * `scripts/node bench/src/directory-memory.ts [users] [subscriptions of each]`. The goal is
 * 300 MB for 100,000 users with 1,000,000 subscriptions.
 */
import assert from 'node:assert/strict';
import { directoryParts } from '@heddle/server/all-features.ts';
import { openPool } from '@heddle/server/db/pool.ts';
import { loadDirectory } from '@heddle/server/directory/load.ts';
import { testDatabase } from '@heddle/server/testing/database/database.ts';
import { pino } from 'pino';

const [users = 100_000, each = 10] = process.argv.slice(2).map(Number);
const CHANNELS = 1000;

const database = await testDatabase();
const { db, pool, close } = openPool(database.connection, pino({ enabled: false }));
try {
  await pool.query("INSERT INTO organizations (subdomain, name) VALUES ('', 'Large')");
  await pool.query('INSERT INTO logs (organization_id) VALUES (1)');
  await pool.query(
    `INSERT INTO users (organization_id, email, delivery_email, full_name, role)
     SELECT 1, 'person' || n || '@example.com', 'person' || n || '@example.com', 'Person Number ' || n, 400
       FROM generate_series(1, $1) AS n`,
    [users],
  );
  await pool.query(
    `INSERT INTO channels (organization_id, name, description, rendered_description, is_private, is_web_public,
                           history_public_to_subscribers, topics_policy, group_settings)
     SELECT 1, 'channel ' || n, 'About ' || n, '<p>About ' || n || '</p>', false, false, true, 'inherit', '{}'
       FROM generate_series(1, $1) AS n`,
    [CHANNELS],
  );
  await pool.query(
    `INSERT INTO subscriptions (organization_id, user_id, channel_id, since_event_id, since_message_id, read_through, color)
     SELECT 1, n, 1 + (n * 7 + k * 101) % $3, n, 0, 0, '#aabbcc'
       FROM generate_series(1, $1) AS n, generate_series(1, $2) AS k`,
    [users, each, CHANNELS],
  );
  const before = liveBytes();
  const start = performance.now();
  const directory = await loadDirectory(db, 1, directoryParts);
  const seconds = (performance.now() - start) / 1000;
  const megabytes = (liveBytes() - before) / 1e6;
  assert(directory !== undefined);
  const subscriptions = [...directory.channels.keys()].reduce(
    (sum, id) => sum + directory.subscriptions.of(id).size,
    0,
  );
  const resident = process.memoryUsage.rss() / 1e6;
  const size = `${directory.users.size} users, ${subscriptions} subscriptions`;
  process.stdout.write(
    `${size}: ${megabytes.toFixed(0)} MB alive, ${resident.toFixed(0)} MB resident, loaded in ${seconds.toFixed(1)} s\n`,
  );
} finally {
  await close();
  await database.drop();
}

function liveBytes(): number {
  assert(globalThis.gc !== undefined, 'run it with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
