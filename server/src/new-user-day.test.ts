/**
 * The first day of a new user, from the invitation link to the first vote. It happens in a browser without scripts, on a
 * phone, and in a program.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { TestClient } from './testing/clients/client.ts';
import type { Json } from './testing/clients/json.ts';
import { open, upload } from './testing/clients/user-files.ts';
import { Visitor } from './testing/clients/visitor.ts';
import { startTestServer, type TestServer } from './testing/server/server.ts';
import { TestPhone, TestPushService } from './testing/services/push-service.ts';

const ADA = { full_name: 'Ada Lovelace', email: 'ada@example.com', password: 'shuttle over warp' };

let service: TestPushService;
let server: TestServer;
before(async () => {
  service = await TestPushService.start();
  server = await startTestServer({ environment: service.environment });
});
after(async () => {
  await server.stop();
  await service.stop();
});

/** The key that the login page passes to a phone, decoded as in the app. */
async function keyOnPhone(username: string, password: string): Promise<string> {
  const pad = randomBytes(32);
  const browser = new Visitor(server.url);
  const { location } = await browser.logIn(username, password, `?mobile_flow_otp=${pad.toString('hex')}`);
  const { protocol, searchParams } = new URL(location);
  assert.deepEqual([protocol, searchParams.get('email')], ['zulip:', username]);
  const encrypted = Buffer.from(searchParams.get('otp_encrypted_api_key') ?? '', 'hex');
  return Buffer.from(encrypted.map((byte, index) => byte ^ (pad[index] ?? 0))).toString('latin1');
}

/** The messages of the welcome bot. */
async function greetingsOf(client: TestClient): Promise<readonly string[]> {
  const { messages } = await client.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'dm' }],
    apply_markdown: false,
  });
  return messages.map(({ content }: Json) => content);
}

// rules: register-29
test('a new user is invited, signs up, logs in on a phone, shares a file, is notified of an answer, and votes', async () => {
  const { owner } = server;
  const loom = await server.emptyChannel(owner, 'loom');
  const outsider = await server.user({ name: 'Outsider' });
  const { invite_link } = await owner.ok('POST', '/invites/multiuse', {
    stream_ids: [loom],
    welcome_message_custom_text: 'Threads are in *loom*.',
  });

  // In a browser: the page of the link, its form, and the session that it starts.
  const browser = new Visitor(server.url);
  const { pathname } = new URL(invite_link);
  assert.equal((await browser.get(pathname)).status, 200);
  const welcome = await browser.submit(pathname, ADA);
  assert.equal(welcome.status, 200, welcome.text);
  const { user_id, full_name } = (await browser.get('/json/users/me')).json;
  assert.equal(full_name, ADA.full_name);

  // On a phone: the key, the greeting, and notifications.
  const ada = await server.sameUser({ email: ADA.email } as TestClient);
  assert.equal(await keyOnPhone(ADA.email, ADA.password), ada.apiKey);
  assert((await greetingsOf(ada)).some((greeting) => greeting.includes('Threads are in *loom*.')));
  const phone = await new TestPhone().register(ada, service);

  // Only the user can open the new file. After a message links to it, all readers of the message can.
  const path = await upload(server.url, ada, 'over, under', { name: 'draft.txt' });
  assert.equal((await open(server.url, owner, path)).status, 404);
  const queue = await owner.register({ event_types: ['message'] });
  await ada.send('loom', 'drafts', `My [draft](${path})`);
  const [{ message: sent }] = await queue.take(1);
  assert.equal(sent.sender_full_name, ADA.full_name);
  assert.equal(await (await open(server.url, owner, path)).text(), 'over, under');
  const [, , organization, ...rest] = path.split('/');
  const shown = await browser.get(`/user_uploads/${organization}/${rest.join('/')}`);
  assert.deepEqual([shown.status, shown.text], [200, 'over, under']);
  await owner.ok('PATCH', `/streams/${loom}`, { is_private: true, history_public_to_subscribers: true });
  assert.equal((await open(server.url, outsider, path)).status, 404);

  // The answer reaches the phone.
  const answer = await owner.direct([user_id], 'Well woven');
  await service.arrival(({ endpoint }) => endpoint === 'push/e2ee/notify');
  const [notification, ...others] = phone.received(service);
  assert.deepEqual(others, []);
  assert.deepEqual([notification.message_id, notification.content], [answer, 'Well woven']);

  // A poll, and presence.
  const poll = await owner.send('loom', 'drafts', '/poll Which yarn?\nwool\nlinen');
  const heard = await owner.register({ event_types: ['submessage'] });
  const vote = { type: 'vote', key: 'canned,1', vote: 1 };
  await ada.ok('POST', '/submessage', { message_id: poll, msg_type: 'widget', content: JSON.stringify(vote) });
  const [{ sender_id, content }] = await heard.take(1);
  assert.deepEqual([sender_id, JSON.parse(content)], [user_id, vote]);
  await ada.ok('POST', '/users/me/presence', { status: 'active' });
  const { presence } = await owner.ok('GET', `/users/${ADA.email}/presence`);
  assert.equal(presence.aggregated.status, 'active');

  // The owner sees who used the link.
  const { invites } = await owner.ok('GET', '/invites');
  assert.deepEqual(
    invites.map(({ is_multiuse, link_url }: Json) => [is_multiuse, link_url]),
    [[true, invite_link]],
  );
});
