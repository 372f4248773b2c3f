import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../testing/clients/client.ts';
import { queueMissedMails } from '../../testing/server/due.ts';
import { mailsOf, type ReadMail } from '../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let mallory: TestClient;
/** The user who is away. */
let person: TestClient;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent', HEDDLE_RATE_LIMITS: 'off' } });
  mallory = await server.user({ name: 'Mallory' });
});
beforeEach(async () => {
  person = await server.user();
});
after(() => server.stop());

async function mailsTo({ email }: TestClient): Promise<readonly ReadMail[]> {
  await queueMissedMails(server);
  return (await mailsOf(server)).filter(({ to }) => to === email);
}

const mention = ({ name, userId }: TestClient) => `@**${name}|${userId}**`;
const headOf = ({ source }: ReadMail) => source.slice(0, source.search(/\r?\n\r?\n/));

// rules: mail-21
test('names, channels and topics add no headers and no HTML', async () => {
  const names = ['Eve\r\nBcc: all@example.com', 'Eve <eve@example.com>', 'Eve "x" <b>bold</b>', '=?utf-8?q?Bcc?='];
  for (const full_name of names) await mallory.call('PATCH', '/settings', { full_name });
  const topics = [
    'x\r\nBcc: all@example.com',
    '<img src=https://example.com/x.png>',
    '"><script>alert(1)</script>',
    '=?utf-8?q?=0D=0ABcc:_a@b.c?=',
  ];
  for (const [index, topic] of topics.entries()) {
    const id = await server.emptyChannel(mallory, `<b>ch${index}</b>`, { principals: [person.userId] });
    await mallory.call('POST', '/messages', { type: 'channel', to: id, topic, content: mention(person) });
  }
  await mallory.direct([person.userId], '<img src=x onerror=alert(1)> [x](javascript:alert(1)) [y](data:text/html,x)');
  const mails = await mailsTo(person);
  assert(mails.length >= 4, `${mails.length} mails`);
  for (const mail of mails) {
    assert.doesNotMatch(headOf(mail), /^bcc:/im);
    assert.equal(headOf(mail).match(/^(to|from|subject):/gim)?.length, 3);
    const [, html = ''] = mail.body.split(/^Content-Type: text\/html.*$/m);
    assert.doesNotMatch(html, /<(img|script|b)\b|(javascript|data):[^)]*"/i);
  }
});

// rules: mail-21
test('a link whose text is another address shows its own', async () => {
  await mallory.direct(
    [person.userId],
    'Go to [https://bank.example](https://evil.example/) or [bank.example/login](https://evil.example/b)',
  );
  const [mail] = await mailsTo(person);
  assert.match(mail?.body ?? '', /bank\.example<\/a> \(https:\/\/evil\.example\/\)/);
  assert.match(mail?.body ?? '', /bank\.example\/login<\/a> \(https:\/\/evil\.example\/b\)/);
  await mallory.direct([person.userId], 'See [the page](https://example.org/) and https://example.org/x');
  const [, second] = await mailsTo(person);
  assert.match(
    second?.body ?? '',
    />the page<\/a> and <a href="https:\/\/example\.org\/x">https:\/\/example\.org\/x<\/a>/,
  );
});

// rules: mail-9
test('a member who writes to one user in many topics causes 60 mails per hour, and other users get theirs', async () => {
  const other = await server.user();
  const id = await server.emptyChannel(mallory, 'flood', { principals: [person.userId] });
  const topics = Array.from({ length: 90 }, (_, index) => `topic ${index}`);
  await Promise.all(topics.map((topic) => mallory.send(id, topic, mention(person))));
  await mallory.direct([other.userId], 'hello');
  assert.equal((await mailsTo(person)).length, 60);
  assert.equal((await mailsTo(other)).length, 1);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer FROM missed_batches WHERE user_id = ${person.userId}`.execute(server.app.db);
  assert.equal(rows[0]?.count, 30);
});

// rules: mail-4
test('mails are bounded, whatever the messages contain', async () => {
  for (let index = 0; index < 20; index++) await mallory.direct([person.userId], `**a** `.repeat(1400));
  const [mail, ...others] = await mailsTo(person);
  assert.deepEqual(others, []);
  assert((mail?.source.length ?? 0) < 1_000_000, `${mail?.source.length} bytes`);
  assert.match(mail?.body ?? '', /There are \d+ more new messages/);
});

// rules: mail-5
test('a user who lost the channel before the mail was due gets no mail about it', async () => {
  const id = await server.emptyChannel(mallory, 'private', {
    principals: [person.userId],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  await mallory.send(id, 'secret plans', `${mention(person)} the secret`);
  await server.app.consumers.settled();
  await mallory.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['private'], principals: [person.userId] });
  assert.deepEqual(await mailsTo(person), []);
});

test('20,000 batches of an organization wait at most: a new one drops those that wait longest', async () => {
  const { db, consumers } = server.app;
  // Those of earlier tests.
  await sql`DELETE FROM missed_batches`.execute(db);
  // The planner then expects no row. A plan that reads the waiting batches once per row would take a minute.
  await sql`ANALYZE missed_batches`.execute(db);
  // None is due before the end of the test.
  await sql`
    INSERT INTO missed_batches (organization_id, user_id, conversation, message_ids, causes, group_ids, due_at)
    SELECT 1, ${person.userId}, 'invented ' || number, '{1}', '{direct}', '{null}',
           now() + make_interval(hours => 1, secs => number)
      FROM generate_series(1, 20000) AS number`.execute(db);
  await sql`
    UPDATE users SET own_settings = own_settings || '{"email_notifications_batching_period_seconds": 86400}'
     WHERE id = ${person.userId}`.execute(db);
  await mallory.direct([person.userId], 'one more');
  await consumers.settled();
  const { rows } = await sql<{ conversation: string }>`
    SELECT conversation FROM missed_batches WHERE user_id = ${person.userId}`.execute(db);
  const waiting = new Set(rows.map(({ conversation }) => conversation));
  await sql`DELETE FROM missed_batches WHERE user_id = ${person.userId}`.execute(db);
  assert.equal(waiting.size, 20_000);
  assert(!waiting.has('invented 1') && waiting.has('invented 2'));
});

// rules: quiet-7
test('batches that wait for the end of quiet hours displace no mail of another user', async () => {
  const { db, consumers } = server.app;
  const other = await server.user();
  await sql`DELETE FROM missed_batches`.execute(db);
  await sql`ANALYZE missed_batches`.execute(db);
  await sql`
    INSERT INTO missed_batches (organization_id, user_id, conversation, message_ids, causes, group_ids, begun_at, due_at)
    SELECT 1, ${person.userId}, 'held ' || number, '{1}', '{direct}', '{null}', now() - make_interval(secs => 20000 - number),
           now() + interval '6 days'
      FROM generate_series(1, 20000) AS number`.execute(db);
  await mallory.direct([other.userId], 'due soon');
  await consumers.settled();
  const { rows } = await sql<{ user_id: number; count: number; oldest: string }>`
    SELECT user_id, count(*)::integer AS count, (array_agg(conversation ORDER BY begun_at))[1] AS oldest
      FROM missed_batches GROUP BY user_id`.execute(db);
  await sql`DELETE FROM missed_batches`.execute(db);
  const counts = new Map(rows.map(({ user_id, count, oldest }) => [user_id, { count, oldest }]));
  assert.equal(counts.get(other.userId)?.count, 1);
  assert.deepEqual(counts.get(person.userId), { count: 19_999, oldest: 'held 2' });
});
