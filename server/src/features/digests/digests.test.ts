import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import { mailsOf, type ReadMail } from '../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let sender: TestClient;
let person: TestClient;
before(async () => {
  server = await startTestServer({ recurringJobs: ['queue-digests'], environment: { HEDDLE_LOG_LEVEL: 'silent' } });
  sender = await server.user({ name: 'Sendra' });
});
beforeEach(async () => {
  person = await server.user();
  await organize({ digest_emails_enabled: true });
  await lookAgain();
  await beAway();
});
after(() => server.stop());

const organize = (settings: Fields) => server.owner.ok('PATCH', '/realm', settings);
const set = (settings: Fields) => person.ok('PATCH', '/settings', settings);

/** As on another day of digests. */
const lookAgain = () => sql`UPDATE organizations SET digest_due_at = now()`.execute(server.app.db);

/** As if the person had not been seen for ten days. */
async function beAway(): Promise<void> {
  await sql`UPDATE users SET date_joined = now() - interval '10 days' WHERE id = ${person.userId}`.execute(
    server.app.db,
  );
  await sql`DELETE FROM presences WHERE user_id = ${person.userId}`.execute(server.app.db);
}

/** The digests to the person after the recurring job has run, so many days before the weekday of digests. The tests may run at midnight. */
async function digests(daysBefore = 0): Promise<readonly ReadMail[]> {
  // Monday is 0.
  const { rows } = await sql<{ today: number }>`
    SELECT extract(isodow FROM now() AT TIME ZONE 'UTC')::integer - 1 AS today`.execute(server.app.db);
  await organize({ digest_weekday: ((rows[0]?.today ?? 0) + daysBefore) % 7 });
  await sql`UPDATE jobs SET due_at = now() WHERE kind = 'queue-digests'`.execute(server.app.db);
  const mails = await mailsOf(server);
  return mails.filter(({ to, subject }) => to === person.email && subject.startsWith('This week in'));
}

// rules: mail-12
test('a user who was away gets busy topics, direct messages and new channels, once a week', async () => {
  const id = await server.emptyChannel(sender, 'weaving', { principals: [person.userId] });
  await sender.send(id, 'looms', 'Which **loom**?');
  await server.emptyChannel(sender, 'not theirs', { invite_only: true });
  await sender.direct([person.userId], 'hello');
  const [mail, ...others] = await digests();
  assert.deepEqual(others, []);
  assert(mail !== undefined);
  assert.match(mail.body, /#weaving > looms \(http/);
  assert.match(mail.body, /1 unread message by Sendra\n\nSendra: Which \*loom\*\?/);
  assert.match(mail.body, /Unread direct messages: 1/);
  assert.match(mail.body, /New channels:\n(- .*\n)*- #weaving/);
  assert(!mail.body.includes('not theirs'));
  assert.match(mail.source, /^List-Unsubscribe:\s*<[^>]*\/accounts\/unsubscribe\/digest\//m);
  assert.equal((await digests()).length, 1);
  await sql`UPDATE digests SET queued_at = now() - interval '7 days'`.execute(server.app.db);
  assert.equal((await digests()).length, 2);
});

// rules: mail-12
test('muted topics and channels, and what was read, are not in the digest', async () => {
  const [muted, open] = [
    await server.emptyChannel(sender, 'muted', { principals: [person.userId] }),
    await server.emptyChannel(sender, 'open', { principals: [person.userId] }),
  ];
  await person.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: muted, property: 'is_muted', value: true }],
  });
  await person.ok('POST', '/user_topics', { stream_id: open, topic: 'quiet', visibility_policy: 1 });
  await sender.send(muted, 'x', 'in a muted channel');
  await sender.send(open, 'quiet', 'in a muted topic');
  const read = await sender.send(open, 'read', 'was read');
  await sender.send(open, 'left', 'is left');
  await person.ok('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' });
  const [mail] = await digests();
  assert(mail?.body.includes('is left'));
  assert(!/in a muted|was read/.test(mail?.body ?? ''), mail?.body ?? '');
});

// rules: mail-12
test('there is no digest on other days, for users who were here, or where the organization or user has none', async () => {
  await sender.direct([person.userId], 'hello');
  assert.deepEqual(await digests(3), []);
  await organize({ digest_emails_enabled: false });
  assert.deepEqual(await digests(), []);
  await organize({ digest_emails_enabled: true });
  await set({ enable_digest_emails: false });
  assert.deepEqual(await digests(), []);
  await set({ enable_digest_emails: true });
  await sql`UPDATE users SET date_joined = now() - interval '1 day' WHERE id = ${person.userId}`.execute(server.app.db);
  assert.deepEqual(await digests(), []);
});

// rules: mail-6, mail-12
test('without message content, the digest has numbers only', async () => {
  const id = await server.emptyChannel(sender, 'secrets', { principals: [person.userId] });
  await sender.send(id, 'secret topic', 'secret text');
  await set({ message_content_in_email_notifications: false });
  const [mail] = await digests();
  assert(mail !== undefined && !/secret|Sendra/.test(mail.body));
  assert.match(mail.body, /Unread messages in your channels: 1/);
});

// rules: mail-12
test('no digest is queued for an address that no mail reaches', async () => {
  const email = 'imported-u05@users.invalid';
  await sql`UPDATE users SET delivery_email = ${email} WHERE id = ${person.userId}`.execute(server.app.db);
  await digests();
  const { rows } = await sql`SELECT FROM digests WHERE user_id = ${person.userId}`.execute(server.app.db);
  assert.equal(rows.length, 0);
});

// rules: mail-12
test('where nothing new happened for a week, no digest is queued, and the server looks again on another day', async () => {
  const { db } = server.app;
  await sql`UPDATE messages SET sent_at = sent_at - interval '8 days'`.execute(db);
  await sql`UPDATE channels SET created_at = created_at - interval '8 days'`.execute(db);
  await digests();
  const queued = () => sql`SELECT FROM digests WHERE user_id = ${person.userId}`.execute(db);
  assert.equal((await queued()).rows.length, 0);
  await sender.direct([person.userId], 'hello');
  assert.deepEqual(await digests(), []);
  await lookAgain();
  assert.equal((await digests()).length, 1);
});

// rules: mail-12
test('a new channel is news, also where nobody writes', async () => {
  await sql`UPDATE messages SET sent_at = sent_at - interval '8 days'`.execute(server.app.db);
  await server.emptyChannel(sender, 'shuttles', { principals: [person.userId] });
  const [mail] = await digests();
  assert.match(mail?.body ?? '', /- #shuttles/);
});
