import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { TestClient } from '../../testing/clients/client.ts';
import { testDatabase } from '../../testing/database/database.ts';
import { timesOf } from '../../testing/faults/kill-counts.ts';
import { KillableServer } from '../../testing/faults/killable-server.ts';
import { temporaryDataDirectory } from '../../testing/server/data-directory.ts';
import { startTestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { freePort } from '../../testing/services/ports.ts';
import { beginDelivery, deliverMail } from '../../testing/services/smtp-client.ts';
import { gatewayOf } from './running.ts';

const password = 'a shuttle flies through the shed';

interface Mail {
  readonly from: string;
  readonly to: string;
  readonly id: string;
  readonly text: string;
}

const sourceOf = ({ from, to, id, text }: Mail) =>
  Buffer.from(`From: <${from}>\r\nTo: <${to}>\r\nSubject: Kills\r\nMessage-ID: <${id}@example.org>\r\n\r\n${text}\r\n`);

const deliver = (port: number, mail: Mail) => deliverMail(port, mail, sourceOf(mail));

async function ownerAt(server: KillableServer): Promise<TestClient> {
  const { url } = await server.listening;
  const host = new URL(url).host;
  const nobody = new TestClient({ url, host, userId: 0, name: 'Nobody' });
  const { user_id, email, api_key } = await nobody.ok('POST', '/fetch_api_key', {
    username: 'owner@localhost',
    password,
  });
  return new TestClient({ url, host, email, apiKey: api_key, userId: user_id, name: 'Owner' });
}

async function contentsIn(client: TestClient, topic: string): Promise<readonly string[]> {
  const range = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
  const { messages } = await client.ok('GET', '/messages', {
    ...range,
    narrow: [{ operator: 'topic', operand: topic }],
  });
  return messages.map(({ content }: { content: string }) => content);
}

// rules: mail-15
test('a server that is killed loses no mail that it accepted, and posts no retried mail twice', async (t: TestContext) => {
  const [data, database, port] = [await temporaryDataDirectory(), await testDatabase(), await freePort()];
  const killable = new KillableServer(data.path, {
    HEDDLE_DATABASE_URL: database.url,
    HEDDLE_LOG_LEVEL: 'silent',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_OWNER_PASSWORD: password,
    HEDDLE_MAIL_GATEWAY: `127.0.0.1:${port}`,
  });
  const db = new pg.Client({ connectionString: database.url });
  t.after(async () => {
    await killable.end();
    await db.end();
    await database.drop();
    await data.remove();
  });
  await killable.listening;
  await db.connect();
  const owner = await ownerAt(killable);
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'mails' }] });
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'mails' });
  const { email: to } = await owner.ok('GET', `/streams/${stream_id}/email_address`);
  const from = owner.email ?? '';
  const arrivesAfter = async (mail: Mail) => {
    let code = 0;
    await until(async () => {
      code = await deliver(port, mail);
      return code === 250;
    }, `the gateway to accept the mail ${mail.id}`);
    assert.equal(code, 250);
  };

  // Before the commit: another transaction holds the table that the commit needs.
  const early = { from, to, id: 'early', text: 'killed before the commit' };
  await db.query('BEGIN');
  await db.query('LOCK TABLE received_mails IN SHARE ROW EXCLUSIVE MODE');
  const socket = await beginDelivery(port, early, sourceOf(early));
  await until(async () => {
    const { rows } = await db.query(
      `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE datname = current_database() AND relation = 'received_mails'::regclass AND NOT granted`,
    );
    return rows.length > 0;
  }, 'the delivery to wait for the lock');
  await killable.kill();
  socket.close();
  await db.query('ROLLBACK');
  await killable.restart();
  await arrivesAfter(early);

  // After the commit: the other server never gets the response.
  const late = { from, to, id: 'late', text: 'killed after the commit' };
  const second = await beginDelivery(port, late, sourceOf(late));
  await until(
    async () => (await db.query('SELECT FROM received_mails')).rows.length === 2,
    'the second received mail in the database',
  );
  await killable.kill();
  second.close();
  await killable.restart();
  await arrivesAfter(late);

  // At any other time.
  const times = timesOf({ gate: 1, long: 3 });
  for (let round = 1; round <= times; round++) {
    const mails = Array.from({ length: 5 }, (_, n) => ({
      from,
      to,
      id: `${round}.${n}`,
      text: `round ${round}, mail ${n}`,
    }));
    let answered = 0;
    const first = Promise.all(mails.map((mail) => deliver(port, mail).finally(() => (answered += 1))));
    await until(() => answered >= 2 * round, `${2 * round} answered mails`);
    await killable.kill();
    await first;
    await killable.restart();
    for (const mail of mails) await arrivesAfter(mail);
  }
  const contents = await contentsIn(await ownerAt(killable), 'Kills');
  const rounds = Array.from({ length: times }, (_, index) => index + 1).flatMap((round) =>
    [0, 1, 2, 3, 4].map((n) => `round ${round}, mail ${n}`),
  );
  assert.deepEqual(contents.toSorted(), [early.text, late.text, ...rounds].toSorted());
});

// rules: mail-15
test('two processes of one database post a mail once that both receive', async (t) => {
  const environment = { HEDDLE_BUS: 'postgres', HEDDLE_MAIL_GATEWAY: '127.0.0.1:0', HEDDLE_LOG_LEVEL: 'silent' };
  const one = await startTestServer({ environment });
  const two = await startTestServer({ shared: one.shared, environment });
  t.after(async () => {
    await two.stop();
    await one.stop();
  });
  const ports = await Promise.all([one, two].map(async ({ app }) => (await gatewayOf(app).listening) ?? 0));
  const member = await one.user();
  const id = await one.emptyChannel(member, 'mails');
  const { email: to } = await member.ok('GET', `/streams/${id}/email_address`);
  const texts = Array.from({ length: 8 }, (_, index) => `mail ${index}`);
  const codes = await Promise.all(
    texts.flatMap((text) =>
      ports.map((port) => deliver(port, { from: member.email, to, id: text.replace(' ', ''), text })),
    ),
  );
  assert.deepEqual(new Set(codes), new Set([250]));
  assert.deepEqual((await contentsIn(member, 'Kills')).toSorted(), texts);
});
