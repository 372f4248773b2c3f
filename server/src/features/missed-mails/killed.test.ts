import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { TestClient } from '../../testing/clients/client.ts';
import { accountAt } from '../../testing/faults/command-line-accounts.ts';
import { timesOf } from '../../testing/faults/kill-counts.ts';
import { type KillableServer, startKillable } from '../../testing/faults/killable-server.ts';
import { mailsOf, readMail } from '../../testing/server/mails.ts';
import { startTestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';

const password = 'a shuttle flies through the shed';

async function clientAt(server: KillableServer, username: string): Promise<TestClient> {
  const { url } = await server.listening;
  const host = new URL(url).host;
  const nobody = new TestClient({ url, host, userId: 0, name: 'Nobody' });
  const { user_id, email, api_key } = await nobody.ok('POST', '/fetch_api_key', { username, password });
  return new TestClient({ url, host, email, apiKey: api_key, userId: user_id, name: username });
}

async function mailsIn(directory: string): Promise<readonly string[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.eml'));
  const sources = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return sources.map((source) => readMail(source).body);
}

// rules: mail-11
test('a server that is killed after it accepted a message mails it after the restart', async (t: TestContext) => {
  const killable = await startKillable(t, {
    HEDDLE_LOG_LEVEL: 'silent',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_OWNER_PASSWORD: password,
  });
  const account = await accountAt(killable, 'Reader');
  const { url } = await killable.listening;
  const reader = { ...account, url, host: new URL(url).host, name: 'Reader' };
  await new TestClient(reader).ok('PATCH', '/settings', { email_notifications_batching_period_seconds: 1 });
  for (let text = 1; text <= timesOf({ gate: 1, long: 3 }); text += 1) {
    const owner = await clientAt(killable, 'owner@localhost');
    await owner.direct([account.userId], `number ${text}`);
    await killable.kill();
    await killable.restart();
    await until(async () => {
      const mails = await mailsIn(join(killable.dataDirectory, 'mail'));
      return mails.some((body) => body.includes(`number ${text}`));
    }, `the mail about number ${text}`);
  }
});

// rules: mail-11
test('two processes of one database queue each batch once', async (t) => {
  const server = await startTestServer({ environment: { HEDDLE_BUS: 'postgres' } });
  const other = await startTestServer({ shared: server.shared, environment: { HEDDLE_BUS: 'postgres' } });
  t.after(async () => {
    await other.stop();
    await server.stop();
  });
  const people = await Promise.all(Array.from({ length: 20 }, () => server.user()));
  for (const { userId } of people) await server.owner.direct([userId], 'one');
  await server.app.consumers.settled();
  await sql`UPDATE missed_batches SET due_at = now()`.execute(server.app.db);
  await Promise.all([server.app.scheduler.settled(), other.app.scheduler.settled()]);
  await other.app.jobs.settled();
  const addresses = (await mailsOf(server)).map(({ to }) => to);
  assert.deepEqual(addresses.toSorted(), people.map(({ email }) => email).toSorted());
});
