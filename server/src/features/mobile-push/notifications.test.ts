import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../directory/records.ts';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { leaveClients } from '../../testing/server/away.ts';
import { HiddenPeople } from '../../testing/server/hidden-people.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { TestPhone, TestPushService } from '../../testing/services/push-service.ts';
import { pushOf } from './running.ts';

let service: TestPushService;
let server: TestServer;
let sender: TestClient;
/** The client of the user to notify. */
let person: TestClient;
let phone: TestPhone;
let channels = 0;
before(async () => {
  service = await TestPushService.start();
  server = await startTestServer({ environment: { ...service.environment, HEDDLE_LOG_LEVEL: 'silent' } });
  sender = await server.user({ name: 'Sendra' });
});
beforeEach(async () => {
  service.behaviour = undefined;
  service.gone.clear();
  person = await server.user();
  phone = await new TestPhone().register(person, service);
});
after(async () => {
  await server.stop();
  await service.stop();
});

/** Creates a channel to which the sender and the person are subscribed. */
async function channel(...more: readonly TestClient[]): Promise<number> {
  channels += 1;
  const principals = [person, ...more].map(({ userId }) => userId);
  return server.emptyChannel(sender, `channel ${channels}`, { principals });
}

/** Returns the messages and removals that the phone received, after the server has sent everything. */
async function shown(of = phone): Promise<readonly Json[]> {
  await sent();
  return of.received(service);
}

/** Sends pending notifications as if they were due now. */
async function sent(): Promise<void> {
  await pushOf(server.app).settled();
  await sql`UPDATE push_notifications SET due_at = now() WHERE due_at IS NOT NULL`.execute(server.app.db);
  await pushOf(server.app).settled();
}

async function contents(): Promise<readonly string[]> {
  return (await shown()).map(({ type, content, message_ids }) => (type === 'message' ? content : `-${message_ids}`));
}

const mentionOf = (client: TestClient) => `@**${client.name}|${client.userId}**`;

async function set(settings: Fields): Promise<void> {
  await person.ok('PATCH', '/settings', settings);
}

// rules: mobile-push-12
test('a direct message is notified with all fields that the app expects', async () => {
  const id = await sender.direct([person.userId], 'Hello, **world**');
  const [notification] = await shown();
  const url = server.app.address.of('');
  assert.deepEqual(notification, {
    type: 'message',
    realm_url: url,
    realm_name: 'Organization',
    user_id: person.userId,
    message_id: id,
    sender_id: sender.userId,
    sender_full_name: 'Sendra',
    sender_avatar_url: notification.sender_avatar_url,
    time: notification.time,
    content: 'Hello, world',
    recipient_type: 'direct',
  });
  assert.match(notification.sender_avatar_url, /^https?:/);
});

// rules: mobile-push-12
test('a group message names its participants', async () => {
  const third = await server.user();
  await sender.direct([person.userId, third.userId], 'all of you');
  const [{ pm_users }] = await shown();
  assert.equal(pm_users, [sender.userId, person.userId, third.userId].toSorted((a, b) => a - b).join(','));
});

// rules: mobile-push-12
test('a mention in a channel is notified with channel and topic, but only to the mentioned user', async () => {
  const bystander = await server.user();
  const theirs = await new TestPhone().register(bystander, service);
  const id = await channel(bystander);
  await sender.send(id, 'greetings', `${mentionOf(person)} hello`);
  const [notification] = await shown();
  const { recipient_type, channel_id, channel_name, topic, content } = notification;
  assert.deepEqual(
    [recipient_type, channel_id, channel_name, topic, content],
    ['channel', id, `channel ${channels}`, 'greetings', `@${person.name} hello`],
  );
  assert.deepEqual(await shown(theirs), []);
});

// rules: guests-4
test('a notification to a guest does not name an inaccessible sender', async () => {
  const people = new HiddenPeople(server);
  await people.hide(true);
  const guest = await people.guest();
  const theirs = await new TestPhone().register(guest, service);
  const inaccessible = await server.user({ name: 'Stranger' });
  await inaccessible.send(await channel(guest), 'greetings', mentionOf(guest));
  const [{ sender_id, sender_full_name, sender_avatar_url }] = await shown(theirs);
  assert.deepEqual(
    [sender_id, sender_full_name, sender_avatar_url],
    [inaccessible.userId, 'Unknown user', `${server.app.address.of('')}/static/patterns/0.png`],
  );
  await people.hide(false);
});

// rules: mobile-push-12
test('a group mention names the smallest of several groups; a personal mention takes precedence', async () => {
  const group = async (name: string, members: readonly number[]) =>
    (await server.owner.ok('POST', '/user_groups/create', { name, description: '', members })).group_id;
  const name = `weavers ${person.userId}`;
  const small = await group(name, [person.userId, sender.userId]);
  await group(`all ${name}`, [person.userId, sender.userId, server.owner.userId]);
  const id = await channel();
  await sender.send(id, 'x', `@*all ${name}* and @*${name}*`);
  await sender.send(id, 'x', `@*${name}* and ${mentionOf(person)}`);
  const [first, second] = await shown();
  assert.deepEqual([first.mentioned_user_group_id, first.mentioned_user_group_name], [small, name]);
  assert.equal('mentioned_user_group_id' in second, false);
});

// rules: mobile-push-14
test('wildcard mentions follow the user’s settings, and the channel’s setting takes precedence', async () => {
  const id = await channel();
  const property = (value: boolean) =>
    person.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: id, property: 'wildcard_mentions_notify', value }],
    });
  await sender.send(id, 'x', '@**all** one');
  await sent();
  await set({ wildcard_mentions_notify: false });
  await sent();
  await sender.send(id, 'x', '@**all** two');
  await sent();
  await property(true);
  await sender.send(id, 'x', '@**all** three');
  await sent();
  await property(false);
  await sender.send(id, 'x', '@**all** four');
  assert.deepEqual(await contents(), ['@all one', '@all three']);
});

// rules: mobile-push-14
test('a topic mention notifies participants of the topic', async () => {
  const id = await channel();
  await person.send(id, 'ours', 'I am here');
  await sender.send(id, 'ours', '@**topic** you');
  await sender.send(id, 'theirs', '@**topic** nobody');
  assert.deepEqual(await contents(), ['@topic you']);
});

// rules: mobile-push-15
test('channel messages are notified by the setting of the channel or by the global setting', async () => {
  const [one, other] = [await channel(), await channel()];
  const property = (value: boolean) =>
    person.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: one, property: 'push_notifications', value }],
    });
  await sender.send(one, 'x', 'not yet');
  await sent();
  await property(true);
  await sender.send(one, 'x', 'from one');
  await sender.send(other, 'x', 'not from the other');
  await sent();
  await property(false);
  await set({ enable_stream_push_notifications: true });
  await sender.send(one, 'x', 'not from one any more');
  await sender.send(other, 'x', 'from the other');
  assert.deepEqual(await contents(), ['from one', 'from the other']);
});

// rules: mobile-push-15
test('followed topics are notified unless the user disables their notifications', async () => {
  const id = await channel();
  const follow = (topic: string) => person.ok('POST', '/user_topics', { stream_id: id, topic, visibility_policy: 3 });
  await follow('News');
  await sender.send(id, 'news', 'followed');
  await sender.send(id, 'other', 'not followed');
  await sent();
  await set({ enable_followed_topic_push_notifications: false });
  await sender.send(id, 'news', 'quietly followed');
  await set({ wildcard_mentions_notify: false });
  await sender.send(id, 'news', '@**all** loudly');
  assert.deepEqual(await contents(), ['followed', '@all loudly']);
});

// rules: mobile-push-17
test('muted channels and topics are not notified, except for personal mentions and unmuted topics', async () => {
  const id = await channel();
  await set({ enable_stream_push_notifications: true });
  await person.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: id, property: 'is_muted', value: true }],
  });
  await person.ok('POST', '/user_topics', { stream_id: id, topic: 'loud', visibility_policy: 2 });
  await sender.send(id, 'x', 'muted');
  await sender.send(id, 'x', '@**all** muted');
  await sender.send(id, 'loud', 'unmuted');
  await sent();
  await sender.send(id, 'x', `${mentionOf(person)} hello`);
  const open = await channel();
  await person.ok('POST', '/user_topics', { stream_id: open, topic: 'dull', visibility_policy: 1 });
  await sender.send(open, 'dull', 'muted topic');
  await sender.send(open, 'bright', 'open');
  assert.deepEqual(await contents(), ['unmuted', `@${person.name} hello`, 'open']);
});

// rules: mobile-push-16
test('without offline notifications, channel messages are notified but direct messages and mentions are not', async () => {
  const id = await channel();
  await set({ enable_offline_push_notifications: false, enable_stream_push_notifications: true });
  await sender.direct([person.userId], 'direct');
  await sender.send(id, 'x', 'channel');
  assert.deepEqual(await contents(), ['channel']);
});

// rules: mobile-push-16
test('an active user is not notified unless they enable online notifications', async () => {
  await set({ enable_online_push_notifications: false });
  await person.ok('POST', '/users/me/presence', { status: 'active' });
  const queue = await person.register({ event_types: ['message'] });
  await queue.now();
  await sender.direct([person.userId], 'at the client');
  await sent();
  await leaveClients(server, person.userId);
  await sender.direct([person.userId], 'away');
  await sent();
  await set({ enable_online_push_notifications: true });
  await queue.now();
  await sender.direct([person.userId], 'at the client, and wants it');
  assert.deepEqual(await contents(), ['away', 'at the client, and wants it']);
});

// rules: mobile-push-16
test('a user who is idle, hides presence or only has a queue is notified', async () => {
  await set({ enable_online_push_notifications: false });
  const queue = await person.register({ event_types: ['message'] });
  await queue.now();
  await sender.direct([person.userId], 'only a program listens');
  await sent();
  await person.ok('POST', '/users/me/presence', { status: 'idle' });
  await sender.direct([person.userId], 'idle');
  await sent();
  await person.ok('POST', '/users/me/presence', { status: 'active' });
  await set({ presence_enabled: false });
  await sender.direct([person.userId], 'hidden');
  await sent();
  await set({ presence_enabled: true });
  await person.ok('POST', '/users/me/presence', { status: 'active' });
  await sender.direct([person.userId], 'there');
  assert.deepEqual(await contents(), ['only a program listens', 'idle', 'hidden']);
});

// rules: mobile-push-18
test('users are not notified of their own messages, nor of messages before their phone was registered', async () => {
  const late = await server.user();
  await sender.direct([late.userId], 'before');
  await sent();
  const theirs = await new TestPhone().register(late, service);
  await late.direct([sender.userId, late.userId], 'own');
  await sender.direct([late.userId], 'after');
  assert.deepEqual(
    (await shown(theirs)).map(({ content }) => content),
    ['after'],
  );
});

// rules: mobile-push-19
test('a message that is read before its notification could be sent is not notified', async () => {
  service.behaviour = (_, response) => !!response.writeHead(503).end();
  const id = await sender.direct([person.userId], 'read at once');
  await person.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
  await sent();
  service.behaviour = undefined;
  await sender.direct([person.userId], 'unread');
  assert.deepEqual(
    (await contents()).filter((text) => !text.startsWith('-')),
    ['unread'],
  );
});

// rules: mobile-push-19
test('read messages are removed from the phone, several in one removal; unread ones stay', async () => {
  const ids: number[] = [];
  for (const text of ['one', 'two', 'three']) ids.push(await sender.direct([person.userId], text));
  await sent();
  const [one, two, three] = ids;
  await person.ok('POST', '/messages/flags', { messages: [one, two], op: 'add', flag: 'read' });
  assert.deepEqual(await contents(), ['one', 'two', 'three', `-${one},${two}`]);
  const removal = (await shown()).at(-1);
  assert.deepEqual(Object.keys(removal).toSorted(), ['message_ids', 'realm_name', 'realm_url', 'type', 'user_id']);
  await person.ok('POST', '/mark_all_as_read');
  assert.equal((await contents()).at(-1), `-${three}`);
  const last = service.notified.findLast(({ token }) => token === phone.token)?.request;
  assert.equal(last.fcm_priority, 'normal');
});

// rules: mobile-push-19
test('deleted messages, and messages the user can no longer access, are removed from the phone', async () => {
  const id = await channel();
  const first = await sender.send(id, 'x', `${mentionOf(person)} deleted`);
  const second = await sender.send(id, 'x', `${mentionOf(person)} lost`);
  await sent();
  await server.owner.ok('DELETE', `/messages/${first}`);
  await sent();
  await person.ok('DELETE', '/users/me/subscriptions', { subscriptions: [`channel ${channels}`] });
  assert.deepEqual((await contents()).slice(2), [`-${first}`, `-${second}`]);
});

// rules: mobile-push-19
test('a mention that an edit removes is removed from the phone, and one that an edit adds is notified', async () => {
  const id = await channel();
  const message = await sender.send(id, 'x', `${mentionOf(person)} first`);
  await sent();
  await sender.ok('PATCH', `/messages/${message}`, { content: 'nobody' });
  await sent();
  await sender.ok('PATCH', `/messages/${message}`, { content: `${mentionOf(person)} again` });
  await sent();
  // An edit does not notify users whom the message already mentions.
  await sender.ok('PATCH', `/messages/${message}`, { content: `${mentionOf(person)} and again` });
  assert.deepEqual(await contents(), [`@${person.name} first`, `-${message}`, `@${person.name} again`]);
});

// rules: mobile-push-18
test('a deactivated user and a user of another organization are not notified', async () => {
  const elsewhere = await server.organization(`other${person.userId}`);
  const theirs = await new TestPhone().register(elsewhere, service);
  await sender.direct([person.userId], 'first');
  await sent();
  service.behaviour = (_, response) => !!response.writeHead(500).end();
  await sender.direct([person.userId], 'on its way');
  await sent();
  const home = await server.app.organizations.bySubdomain('');
  assert(home !== undefined);
  await deactivateUser(server.app, home, person.userId);
  service.behaviour = undefined;
  assert.deepEqual(await contents(), ['first']);
  assert.deepEqual(await shown(theirs), []);
});

// rules: mobile-push-12
test('older apps are notified by token: Apple and Google tokens in one request per user', async () => {
  const older = await server.user();
  await older.ok('POST', '/users/me/apns_device_token', { token: 'abcd', appid: 'org.zulip.Zulip' });
  await older.ok('POST', '/users/me/android_gcm_reg_id', { token: `android ${older.userId}` });
  await sent();
  const id = await sender.direct([older.userId], 'Hello');
  await sent();
  await older.ok('POST', '/mark_all_as_read');
  await sent();
  const requests = service.arrivals.filter(
    ({ endpoint, body }) => endpoint === 'push/notify' && body.user_id === older.userId,
  );
  const [message, removal] = requests.map(({ body }) => body);
  assert.equal(requests.length, 2);
  assert.deepEqual([message.apple_devices, message.android_devices], [['abcd'], [`android ${older.userId}`]]);
  assert.deepEqual(message.gcm_options, { priority: 'high' });
  const { custom, ...aps } = message.apns_payload;
  assert.deepEqual(aps, { alert: { title: 'Sendra', subtitle: '', body: 'Hello' }, sound: 'default', badge: 0 });
  const url = server.app.address.of('');
  const own = { realm_url: url, realm_uri: url, realm_name: 'Organization', user_id: older.userId };
  const about = { sender_id: sender.userId, sender_email: sender.email, recipient_type: 'private' };
  assert.deepEqual(custom, { zulip: { ...own, ...about, message_ids: [id] } });
  const { server: host, realm_id, time, sender_avatar_url, ...gcm } = message.gcm_payload;
  assert.deepEqual(gcm, {
    ...own,
    ...about,
    event: 'message',
    zulip_message_id: id,
    content: 'Hello',
    sender_full_name: 'Sendra',
  });
  assert.deepEqual(removal.gcm_options, { priority: 'normal' });
  assert.equal(removal.gcm_payload.zulip_message_ids, String(id));
  assert.deepEqual(removal.apns_payload, {
    badge: 0,
    custom: { zulip: { ...own, event: 'remove', zulip_message_ids: String(id) } },
  });
});

// rules: mobile-push-12
test('an iPhone notification shows channel, topic and kind of mention above the text', async () => {
  const older = await server.user();
  await older.ok('POST', '/users/me/apns_device_token', { token: 'dcba', appid: 'org.zulip.Zulip' });
  await sent();
  const id = await channel(older);
  await sender.send(id, '', mentionOf(older));
  await sender.send(id, 'x', '@**all**');
  await sender.direct([older.userId, person.userId], 'x');
  await sent();
  const lines = service.arrivals
    .filter(({ endpoint, body }) => endpoint === 'push/notify' && body.user_id === older.userId)
    .map(({ body }) => [body.apns_payload.alert.title, body.apns_payload.alert.subtitle]);
  assert.deepEqual(
    lines.toSorted(),
    [
      [`#channel ${channels} > general chat`, 'Sendra mentioned you:'],
      [`#channel ${channels} > x`, 'Sendra mentioned everyone:'],
      [
        [sender, older, person]
          .map(({ name }) => name)
          .toSorted()
          .join(', '),
        'Sendra:',
      ],
    ].toSorted(),
  );
});

// rules: mobile-push-20
test('if the realm requires encryption, an unencrypted notification does not contain the text', async () => {
  const older = await server.user();
  await older.ok('POST', '/users/me/android_gcm_reg_id', { token: 'without a key' });
  await sent();
  await server.owner.ok('PATCH', '/realm', { require_e2ee_push_notifications: true });
  try {
    await sender.direct([person.userId, older.userId], 'a secret');
    assert.deepEqual(await contents(), ['a secret']);
    const { body } = await service.arrival(
      ({ endpoint, body }) => endpoint === 'push/notify' && body.user_id === older.userId,
    );
    assert.equal(body.gcm_payload.content, 'New message');
    assert(!JSON.stringify(service.arrivals).includes('a secret'));
  } finally {
    await server.owner.ok('PATCH', '/realm', { require_e2ee_push_notifications: false });
  }
});

// rules: mobile-push-21
test('one request notifies many devices', async () => {
  const people = [person];
  for (let more = 0; more < 5; more += 1) {
    const one = await server.user();
    await new TestPhone().register(one, service);
    await new TestPhone({ kind: 'apns' }).register(one, service);
    people.push(one);
  }
  const before = service.arrivals.length;
  await sender.direct(
    people.map(({ userId }) => userId),
    'everybody',
  );
  await sent();
  const requests = service.arrivals.slice(before);
  assert.deepEqual(
    requests.map(({ body }) => body.push_requests.length),
    [11],
  );
});

// rules: mobile-push-21
test('a device that the push service reports as gone is not notified any more', async () => {
  const kept = await new TestPhone().register(person, service);
  service.gone.add(phone.token);
  await sender.direct([person.userId], 'one');
  await sent();
  service.gone.clear();
  await sender.direct([person.userId], 'two');
  assert.deepEqual(
    (await shown(kept)).map(({ content }) => content),
    ['one', 'two'],
  );
  assert.deepEqual(await contents(), ['one']);
});

// rules: mobile-push-18
test('a guest is notified only of messages they can read', async () => {
  const guest = await server.user({ role: Role.guest });
  const theirs = await new TestPhone().register(guest, service);
  const id = await channel();
  await sender.send(id, 'x', `${mentionOf(guest)} not here`);
  await sender.direct([guest.userId], 'here');
  assert.deepEqual(
    (await shown(theirs)).map(({ content }) => content),
    ['here'],
  );
});
