import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { queueMissedMails } from '../../testing/server/due.ts';
import { mailsOf } from '../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_LOG_LEVEL: 'silent' } });
});
after(() => server.stop());

/** The headers and the path of the link in a mail that the user gets now. */
async function linkFor(person: TestClient): Promise<{ readonly source: string; readonly path: string }> {
  await server.owner.direct([person.userId], 'hello');
  await queueMissedMails(server);
  const mail = (await mailsOf(server)).findLast(({ to }) => to === person.email);
  const source = mail?.source ?? '';
  const [, path = ''] = /^List-Unsubscribe:\s*<https?:\/\/[^/]+(\/[^>\s]+)>/m.exec(source) ?? [];
  return { source, path };
}

const settingsOf = async (person: TestClient) => {
  const { user_settings } = await person.ok('POST', '/register', { fetch_event_types: ['user_settings'] });
  return user_settings;
};

/** As the server of a mail program does it: without cookies and without an origin. */
const post = (path: string) =>
  fetch(`${server.url}${path}`, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });

// rules: mail-10
test('the one-click link of a mail stops such mails without a login', async () => {
  const person = await server.user();
  const { source, path } = await linkFor(person);
  assert.match(source, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  assert.equal((await settingsOf(person)).enable_offline_email_notifications, true);
  assert.equal((await post(path)).status, 200);
  const settings = await settingsOf(person);
  assert.equal(settings.enable_offline_email_notifications, false);
  assert.equal(settings.enable_stream_email_notifications, false);
  assert.equal(settings.enable_followed_topic_email_notifications, false);
  assert.equal(settings.enable_digest_emails, true);
});

// rules: mail-10
test('opening the link changes nothing; its form stops the mails', async () => {
  const person = await server.user();
  const { path } = await linkFor(person);
  const visitor = new Visitor(server.url);
  const opened = await visitor.get(path);
  assert.match(opened.text, /no longer receive mails about missed messages/);
  assert.equal((await settingsOf(person)).enable_offline_email_notifications, true);
  const done = await visitor.submit(`${path}/confirm`);
  assert.match(done.text, /Mails are stopped/);
  assert.equal((await settingsOf(person)).enable_offline_email_notifications, false);
});

// rules: mail-10
test('a changed link, or one for another kind, user or organization does nothing', async () => {
  const person = await server.user();
  const { path } = await linkFor(person);
  const forged = path.slice(0, -1) + (path.endsWith('a') ? 'b' : 'a');
  assert.equal((await post(forged)).status, 400);
  assert.equal((await post(path.replace('missed_messages', 'digest'))).status, 400);
  assert.equal((await post(path.replace(`/${person.userId}-`, `/${server.owner.userId}-`))).status, 400);
  await server.organization('other');
  const elsewhere = new Visitor(server.url, `other.${new URL(server.url).host}`);
  assert.equal((await elsewhere.get(path)).status, 404);
  assert.equal((await elsewhere.send('POST', path, {})).status, 400);
  assert.equal((await settingsOf(person)).enable_offline_email_notifications, true);
});
