import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import { inSeconds, queueMissedMails } from '../../testing/server/due.ts';
import { mailsOf } from '../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

const HOUR_SECONDS = 3600;

let server: TestServer;
let sender: TestClient;
let person: TestClient;
before(async () => {
  server = await startTestServer({
    environment: { HEDDLE_LOG_LEVEL: 'silent', HEDDLE_URL: 'http://chat.example.com' },
  });
  sender = await server.user({ name: 'Sendra' });
});
beforeEach(async () => {
  person = await server.user();
});
after(() => server.stop());

/** The titles of the mails to the person, after everything that is due was sent. */
async function titles(): Promise<readonly string[]> {
  await queueMissedMails(server);
  return (await mailsOf(server)).filter(({ to }) => to === person.email).map(({ subject }) => subject);
}

const set = (given: Fields) => person.ok('PATCH', '/users/me/quiet_hours', given);
const DIRECT = 'Direct messages with Sendra';

/** When the mails of the person are due, in seconds since the epoch. */
async function dueTimes(): Promise<readonly number[]> {
  const { rows } = await sql<{ due: number }>`
    SELECT round(extract(epoch FROM due_at))::bigint AS due FROM missed_batches
     WHERE user_id = ${person.userId} ORDER BY due_at`.execute(server.app.db);
  return rows.map(({ due }) => due);
}

// rules: quiet-7
test('a mail waits for the end of the quiet hours, and has what is still unread', async () => {
  const paused_until = inSeconds(HOUR_SECONDS);
  const seen = await sender.direct([person.userId], 'seen');
  await set({ paused_until });
  await sender.direct([person.userId], 'unseen');
  assert.deepEqual(await titles(), []);
  assert.deepEqual(await dueTimes(), [paused_until]);
  await person.ok('POST', '/messages/flags', { messages: [seen], op: 'add', flag: 'read' });
  // As if the hour had passed.
  await sql`UPDATE quiet_hours SET paused_until = now() WHERE user_id = ${person.userId}`.execute(server.app.db);
  assert.deepEqual(await titles(), [DIRECT]);
  const [mail] = (await mailsOf(server)).filter(({ to }) => to === person.email);
  assert(mail?.body.includes('unseen') && !mail.body.includes('>seen'));
});

// rules: quiet-7
test('who ends quiet hours early, gets the mail after the usual time', async () => {
  await person.ok('PATCH', '/settings', { email_notifications_batching_period_seconds: 30 });
  await set({ schedule: [{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 0 }] });
  const before = inSeconds(0);
  await sender.direct([person.userId], 'hello');
  assert.deepEqual(await titles(), []);
  const [held = 0] = await dueTimes();
  assert(held > before + 6 * 24 * HOUR_SECONDS);
  await set({ paused_until: null });
  const [due = 0] = await dueTimes();
  assert(due <= inSeconds(31), `${due - before} s`);
  assert.deepEqual(await titles(), [DIRECT]);
});

// rules: quiet-7, quiet-8
test('mails about direct messages do not wait if the user wants the exception', async () => {
  await set({ paused_until: inSeconds(HOUR_SECONDS), except_direct_messages: true });
  const channel = await server.emptyChannel(sender, 'quiet place', { principals: [person.userId] });
  await sender.send(channel, 'topic', `@**${person.name}|${person.userId}**`);
  await sender.direct([person.userId], 'hello');
  assert.deepEqual(await titles(), [DIRECT]);
  assert.equal((await dueTimes()).length, 1);
});
