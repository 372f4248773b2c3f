/**
 * This release and the next one side by side. The next one is a copy of this server with one migration more, which rebuilds nothing and adds
 * columns, an index and a table. Clients of the old process go on while it runs, and afterwards.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { TestClient } from './testing/clients/client.ts';
import { EventCursor } from './testing/clients/event-cursor.ts';
import { testDatabase } from './testing/database/database.ts';
import { ownerAccount } from './testing/faults/command-line-accounts.ts';
import { runHeddle, startHeddle } from './testing/faults/heddle-process.ts';
import { nextRelease } from './testing/faults/next-release.ts';
import { temporaryDataDirectory } from './testing/server/data-directory.ts';
import { until } from './testing/server/until.ts';

const password = 'a shuttle flies through the shed';

/** It takes a second, so that requests of the old process meet its locks. */
const MIGRATION = `
import { sql } from 'kysely';
export async function up(db) {
  await sql\`ALTER TABLE messages ADD COLUMN next_words text\`.execute(db);
  await sql\`ALTER TABLE users ADD COLUMN next_colour text NOT NULL DEFAULT 'green'\`.execute(db);
  await sql\`CREATE TABLE next_things (organization_id integer NOT NULL, id bigint NOT NULL, PRIMARY KEY (organization_id, id))\`.execute(db);
  await sql\`SELECT pg_sleep(0.5)\`.execute(db);
}
`;

test('the next release migrates beside this one: no request fails, no event is lost, and both serve', async (t) => {
  const [data, other, database] = [
    await temporaryDataDirectory(),
    await temporaryDataDirectory(),
    await testDatabase(),
  ];
  const environment = {
    HEDDLE_DATA_DIR: data.path,
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_BUS: 'postgres',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_LOG_LEVEL: 'error',
    HEDDLE_OWNER_PASSWORD: password,
    HEDDLE_HEARTBEAT_SECONDS: '1',
  };
  const old = await startHeddle(environment);
  const program = await nextRelease(other.path, MIGRATION);
  const { PATH = '', HOME = '', HEDDLE_TIMEOUT_FACTOR = '' } = process.env;
  const own = { PATH, HOME, HEDDLE_TIMEOUT_FACTOR };
  const next = { env: { ...own, ...environment, HEDDLE_PORT: '0', HEDDLE_LOG_LEVEL: 'info' } };
  let child: ReturnType<typeof spawn> | undefined;
  t.after(async () => {
    await old.stop('SIGKILL');
    if (child?.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    await other.remove();
    await data.remove();
    await database.drop();
  });
  const account = await ownerAccount(old.url, password);
  const at = (url: string) => new TestClient({ ...account, url, host: new URL(url).host, name: 'Owner' });
  const atOld = at(old.url);

  const received: string[] = [];
  const sent: string[] = [];
  let isOver = false;
  const queue = await atOld.ok('POST', '/register', { event_types: ['message'] });
  const cursor = new EventCursor(queue.last_event_id);
  const read = async (client: TestClient): Promise<void> => {
    const { events } = await client.ok('GET', '/events', {
      queue_id: queue.queue_id,
      last_event_id: cursor.lastEventId,
    });
    cursor.accept(events);
    for (const event of events)
      if (event.type === 'message') received.push(event.message.content.replaceAll(/<[^>]+>/g, ''));
  };
  const reading = (async () => {
    // timing: it reads until the test ends
    while (!isOver) await read(atOld);
  })();
  const say = async (client: TestClient, content: string) => {
    await client.ok('POST', '/messages', { type: 'direct', to: [account.userId], content });
    sent.push(content);
  };
  const sending = (async () => {
    for (let count = 0; !isOver; count += 1) {
      await say(atOld, `old ${count}`);
      await atOld.ok('GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0 });
      await atOld.ok('PATCH', '/settings', { full_name: `Owner ${count % 2}` });
    }
  })();
  const load = Promise.all([reading, sending]);
  load.catch(() => undefined);

  child = spawn(process.execPath, [program, 'serve'], { ...next, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk;
  });
  assert(child.stdout !== null);
  const urls = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = await Promise.race([urls.next(), load.then(() => undefined)]);
  const [, url] = /^Heddle is listening on (\S+)/.exec(line?.value ?? '') ?? [];
  assert(url !== undefined, log);
  await until(() => log.includes('9999-next-release'), 'the migration in the log');

  const atNext = at(url);
  const before = sent.length;
  await say(atNext, 'from the next release');
  await until(
    () => sent.length > before + 10 && received.includes('from the next release'),
    'ten more messages and one from the next release',
  );
  for (const each of [old.url, url]) assert.equal((await fetch(`${each}/health/ready`)).status, 200, each);
  isOver = true;
  await load;
  // The queue goes on at the next release, after the old one has stopped.
  assert.equal((await old.stop()).code, 0);
  await until(async () => {
    if (received.length < sent.length) await read(atNext);
    return received.length >= sent.length;
  }, 'all sent messages');
  assert.deepEqual(received.toSorted(), sent.toSorted());
  // The old release does not start again on these tables, and says why.
  const refused = await runHeddle(['serve'], { ...environment, HEDDLE_PORT: '0' });
  assert.equal(refused.code, 1);
  assert.match(refused.err, /needs Heddle 9\.9\.9/);
});
