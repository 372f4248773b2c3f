import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { inSeconds } from '../../testing/server/due.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { TestWebPushDevice, TestWebPushService } from '../../testing/services/web-push-service.ts';
import { webPushOf } from './running.ts';

const password = 'correct horse battery';

let service: TestWebPushService;
let server: TestServer;
let sender: TestClient;
let person: TestClient;
let device: TestWebPushDevice;
let channels = 0;
before(async () => {
  service = await TestWebPushService.start();
  server = await startTestServer({ environment: service.environment });
  sender = await server.user({ name: 'Sendra' });
});
beforeEach(async () => {
  service.behaviour = undefined;
  person = await server.user({ password });
  device = await deviceOf(person);
});
// Each request was signed and encrypted as the standards say.
afterEach(() => assert.deepEqual(service.problems, []));
after(async () => {
  await server.stop();
  await service.stop();
});

const deviceOf = (client: TestClient, fields: Fields = {}) =>
  TestWebPushDevice.of(client, { url: server.url, password, service, fields });

async function channel(...more: readonly TestClient[]): Promise<number> {
  channels += 1;
  const principals = [person, ...more].map(({ userId }) => userId);
  return server.emptyChannel(sender, `channel ${channels}`, { principals });
}

/** Sends pending notifications as if they were due now. */
async function sent(): Promise<void> {
  await webPushOf(server.app).settled();
  await sql`UPDATE web_push_notifications SET due_at = now() WHERE due_at IS NOT NULL`.execute(server.app.db);
  await webPushOf(server.app).settled();
}

async function last(of = device): Promise<Json> {
  await sent();
  return of.received.at(-1)?.payload;
}

const texts = (of = device) => of.received.map(({ payload }) => (payload.kind === 'message' ? payload.text : null));
const mentionOf = (client: TestClient) => `@**${client.name}|${client.userId}**`;
const read = (...messages: readonly number[]) =>
  person.ok('POST', '/messages/flags', { messages, op: 'add', flag: 'read' });

// rules: web-push-7
test('a direct message arrives encrypted, urgent, and with all documented fields', async () => {
  const id = await sender.direct([person.userId], 'Hello, **world**');
  const payload = await last();
  assert.deepEqual(payload, {
    version: 1,
    kind: 'message',
    path: '/',
    user_id: person.userId,
    tag: device.received[0]?.topic,
    removed_ids: [],
    unread: 1,
    is_update: false,
    message_id: id,
    message_ids: [id],
    conversation: { kind: 'direct', user_ids: [sender.userId, person.userId].toSorted((a, b) => a - b) },
    sender: { id: sender.userId, name: 'Sendra', avatar: payload.sender.avatar },
    mention: 'none',
    sent_at: payload.sent_at,
    title: 'Sendra',
    text: 'Hello, world',
  });
  assert(!payload.sender.avatar.startsWith(server.url));
  const [{ urgency, ttl } = { urgency: '', ttl: 0 }] = device.received;
  assert.deepEqual([urgency, ttl], ['high', 86_400]);
  const { devices } = (await device.call('GET', '/web_push/devices')).json;
  assert(devices[0].last_notified_at > 0);
});

// rules: web-push-7
test('channel messages name their place; only mentions by name are urgent', async () => {
  const id = await channel();
  await person.ok('PATCH', '/settings', { enable_stream_push_notifications: true });
  await sender.send(id, 'greetings', `${mentionOf(person)} hello`);
  const mention = await last();
  assert.deepEqual(
    [mention.conversation, mention.title, mention.mention, device.received[0]?.urgency],
    [
      { kind: 'channel', channel_id: id, channel_name: `channel ${channels}`, topic: 'greetings' },
      `#channel ${channels} > greetings`,
      'personal',
      'high',
    ],
  );
  await sender.send(id, '', '@**all** come');
  const everyone = await last();
  assert.deepEqual(
    [everyone.conversation.topic, everyone.title, everyone.mention, device.received[1]?.urgency],
    ['', `#channel ${channels} > general chat`, 'everyone', 'normal'],
  );
});

// rules: web-push-8
test('the text is left out if the browser wants none, or the user for direct messages', async () => {
  const quiet = await deviceOf(person, { shows_text: 'false' });
  await sender.direct([person.userId], 'one');
  await sent();
  assert.deepEqual([texts(), texts(quiet)], [['one'], [null]]);
  await person.ok('PATCH', '/settings', { pm_content_in_desktop_notifications: false });
  await sender.direct([person.userId], 'two');
  await sent();
  await sender.send(await channel(), 'x', `${mentionOf(person)} three`);
  await sent();
  assert.deepEqual(texts(), ['one', null, `@${person.name} three`]);
});

// rules: web-push-8
test('an organization can leave out all texts, and clients that know Web Push learn it', async () => {
  const name = 'message_content_allowed_in_web_push';
  const knowing = await person.register({ event_types: ['realm'], client_capabilities: { web_push: true } });
  const plain = await person.register({ event_types: ['realm'] });
  assert.deepEqual([knowing.state[`realm_${name}`], plain.state[`realm_${name}`]], [true, undefined]);
  await person.fails('PATCH', '/realm', { [name]: false });
  const channelId = await channel();
  await server.owner.ok('PATCH', '/realm', { [name]: false });
  try {
    await sender.direct([person.userId], 'one');
    await sent();
    await sender.send(channelId, 'x', `${mentionOf(person)} two`);
    await sent();
  } finally {
    await server.owner.ok('PATCH', '/realm', { [name]: true });
  }
  await sender.direct([person.userId], 'three');
  await sent();
  assert.deepEqual(texts(), [null, null, 'three']);
  const values = (events: readonly Json[]) => events.map(({ property, value }) => [property, value]);
  assert.deepEqual(values(await knowing.now()), [
    [name, false],
    [name, true],
  ]);
  assert.deepEqual(await plain.now(), []);
});

// rules: web-push-9
test('messages of a conversation are one notification; it goes on all devices when they are read', async () => {
  const other = await deviceOf(person);
  const [one, two] = [await sender.direct([person.userId], 'one'), await sender.direct([person.userId], 'two')];
  await sent();
  const three = await sender.direct([person.userId], 'three');
  await sent();
  for (const { shown, notifications } of [device, other]) {
    assert.deepEqual([shown, notifications.length], [[one, two, three], 1]);
  }
  await read(one, three);
  const payload = await last();
  // What is left is shown again, silently.
  assert.deepEqual([payload.removed_ids, payload.text, payload.is_update], [[one, three], 'two', true]);
  assert.deepEqual([device.shown, other.shown], [[two], [two]]);
  await read(two);
  assert.deepEqual([(await last()).kind, device.shown, other.shown], ['remove', [], []]);
  assert.equal(device.received.at(-1)?.urgency, 'normal');
});

// rules: web-push-9
test('a browser that was offline gets the last state of each conversation, and misses nothing that is unread', async () => {
  device.isOffline = true;
  const id = await channel();
  const one = await sender.direct([person.userId], 'one');
  await sent();
  const mention = await sender.send(id, 'x', mentionOf(person));
  await sent();
  const two = await sender.direct([person.userId], 'two');
  await sent();
  await sender.ok('DELETE', `/messages/${two}`);
  await sent();
  device.goOnline();
  assert.deepEqual([device.shown, device.received.length], [[one, mention], 2]);
  device.isOffline = true;
  await read(one, mention);
  await sent();
  device.goOnline();
  assert.deepEqual(device.shown, []);
});

// rules: web-push-10
test('an edit updates what is shown, a move takes it to its new place, and a deletion removes it', async () => {
  const id = await channel();
  const message = await sender.send(id, 'before', `${mentionOf(person)} frist`);
  const { tag } = await last();
  await sender.ok('PATCH', `/messages/${message}`, { content: `${mentionOf(person)} first` });
  const edited = await last();
  assert.deepEqual(
    [edited.text, edited.is_update, edited.tag, edited.removed_ids],
    [`@${person.name} first`, true, tag, [message]],
  );
  await sender.ok('PATCH', `/messages/${message}`, { topic: 'after', send_notification_to_new_thread: false });
  const moved = await last();
  assert.deepEqual([moved.conversation.topic, moved.is_update, moved.removed_ids], ['after', true, [message]]);
  assert.notEqual(moved.tag, tag);
  assert.deepEqual([device.shown, device.notifications.length], [[message], 1]);
  await server.owner.ok('DELETE', `/messages/${message}`);
  await sent();
  assert.deepEqual(device.shown, []);
});

// rules: web-push-10
test('a notification of a moved message stays where it is shown until the push about its new place', async () => {
  const id = await channel();
  const quietly = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };
  const [earlier, moved] = [
    await sender.send(id, 'before', `${mentionOf(person)} one`),
    await sender.send(id, 'before', `${mentionOf(person)} two`),
  ];
  await sent();
  await sender.ok('PATCH', `/messages/${moved}`, { topic: 'after', ...quietly });
  await webPushOf(server.app).settled();
  // The push about the move is due in some seconds. It must not come before the end of the test.
  await sql`UPDATE web_push_notifications SET due_at = due_at + interval '1 hour' WHERE message_id = ${moved}`.execute(
    server.app.db,
  );
  const pushed = async (topic: string) => {
    const message = await sender.send(id, topic, `${mentionOf(person)} three`);
    await webPushOf(server.app).settled();
    return message;
  };
  const inNew = await pushed('after');
  assert.deepEqual(device.shown, [earlier, moved, inNew]);
  const inOld = await pushed('before');
  assert.deepEqual(device.shown, [earlier, moved, inNew, inOld]);
  await read(inOld);
  await webPushOf(server.app).settled();
  const left = device.received.at(-1)?.payload as Json;
  assert.deepEqual(
    [left.message_id, left.conversation.topic, device.shown],
    [earlier, 'before', [earlier, moved, inNew]],
  );
  const place = await last();
  assert.deepEqual(
    [place.conversation.topic, place.message_ids, place.removed_ids],
    ['after', [moved, inNew], [moved]],
  );
  assert.deepEqual(device.shown, [earlier, moved, inNew]);
});

// rules: web-push-10
test('a mention that an edit removes is removed, and one that it adds is notified', async () => {
  const id = await channel();
  const message = await sender.send(id, 'x', 'nobody');
  await sent();
  assert.deepEqual(device.received, []);
  await sender.ok('PATCH', `/messages/${message}`, { content: mentionOf(person) });
  assert.equal((await last()).is_update, false);
  await sender.ok('PATCH', `/messages/${message}`, { content: 'nobody again' });
  await sent();
  assert.deepEqual(device.shown, []);
});

// rules: web-push-11
test('the badge counts as the app does', async () => {
  const id = await channel();
  await person.ok('PATCH', '/settings', { enable_stream_push_notifications: true });
  await person.ok('POST', '/user_topics', { stream_id: id, topic: 'dull', visibility_policy: 1 });
  await sender.send(id, 'dull', 'muted');
  await sender.send(id, 'x', 'counted');
  assert.equal((await last()).unread, 1);
  await sender.send(id, 'x', mentionOf(person));
  await sender.direct([person.userId], 'direct');
  assert.equal((await last()).unread, 3);
  const counted: unknown[] = [];
  await person.ok('POST', '/user_topics', { stream_id: id, topic: 'followed', visibility_policy: 3 });
  await sender.send(id, 'followed', 'one');
  for (const desktop_icon_count_display of [3, 2, 4]) {
    await person.ok('PATCH', '/settings', { desktop_icon_count_display });
    await sender.direct([person.userId], 'again');
    counted.push((await last()).unread);
  }
  // The mention made its topic a followed one.
  assert.deepEqual(counted, [3, 6, null]);
});

// rules: web-push-11
test('the badge leaves out what the user has muted or read, and counts no more than a thousand', async () => {
  const { db } = server.app;
  const [id, muted] = [await channel(), await channel()];
  const policy = (stream_id: number, topic: string, visibility_policy: number) =>
    person.ok('POST', '/user_topics', { stream_id, topic, visibility_policy });
  await person.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: muted, property: 'is_muted', value: true }],
  });
  for (const [place, topic, visibility] of [
    [id, 'dull', 1],
    [muted, 'unmuted', 2],
    [muted, 'followed', 3],
  ] as const)
    await policy(place, topic, visibility);
  const badge = async () => {
    await sender.direct([person.userId], 'counted');
    return (await last()).unread;
  };
  assert.equal(await badge(), 1);
  for (const [place, topic] of [
    [id, 'dull'],
    [id, 'Dull'],
    [muted, 'x'],
    [id, 'x'],
    [muted, 'unmuted'],
    [muted, 'followed'],
  ] as const)
    await sender.send(place, topic, 'hello');
  assert.equal(await badge(), 1 + 3 + 1);
  // Read above what is unread, and marked as unread below.
  const [one, two] = [await sender.send(id, 'x', 'one'), await sender.send(id, 'x', 'two')];
  await read(two);
  assert.equal(await badge(), 5 + 1 + 1);
  await person.ok('POST', '/mark_all_as_read');
  await person.ok('POST', '/messages/flags', { messages: [one], op: 'remove', flag: 'read' });
  assert.equal(await badge(), 1 + 1);
  // A message that moved to a muted channel does not count.
  await server.owner.ok('PATCH', `/messages/${one}`, { stream_id: muted, send_notification_to_new_thread: false });
  assert.equal(await badge(), 1 + 1);
  await sql`
    INSERT INTO messages (organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel,
                          is_me_message, client, sent_at)
    SELECT organization_id, 1000000 + number, ${sender.userId}::integer, id, 'very many', '', '', false, false, 'test', now()
      FROM channels, generate_series(1, 1500) AS number WHERE id = ${id}`.execute(db);
  try {
    assert.equal(await badge(), 1000);
  } finally {
    await sql`DELETE FROM messages WHERE id > 1000000`.execute(db);
  }
});

// rules: web-push-7
test('the longest names and texts fit into a payload', async () => {
  const people: TestClient[] = [];
  const name = 'ꙮ'.repeat(90);
  for (let index = 0; index < 12; index++) people.push(await server.user({ name: `${name}${index}` }));
  const ids = [person, ...people].map(({ userId }) => userId);
  for (let index = 0; index < 60; index++) await sender.direct(ids, `\u{1f9f6}`.repeat(300));
  const payload = await last();
  assert.equal(payload.text.startsWith('\u{1f9f6}'), true);
  assert.deepEqual(device.shown.at(-1), payload.message_id);
  assert.equal(payload.conversation.user_ids.length, ids.length + 1);
});

// rules: web-push-7
test('a push without anything to show is never sent to a browser that forbids it', async () => {
  const one = await sender.direct([person.userId], 'one');
  await sent();
  await sql`UPDATE web_push_subscriptions SET host = 'web.push.apple.com' WHERE user_id = ${person.userId}`.execute(
    server.app.db,
  );
  await read(one);
  await sent();
  assert.equal(device.received.length, 1);
  const { rows } = await sql`SELECT FROM web_push_notifications WHERE user_id = ${person.userId}`.execute(
    server.app.db,
  );
  assert.deepEqual(rows, []);
});

// rules: web-push-7
test('an unused browser gets five pushes that show nothing, and more after it was used', async () => {
  const removals = () => device.received.filter(({ payload }) => payload.kind === 'remove').length;
  const removed: number[] = [];
  const readOne = async () => {
    const id = await sender.direct([person.userId], 'one more');
    await sent();
    await read(id);
    await sent();
    removed.push(removals());
  };
  for (let count = 1; count <= 7; count += 1) await readOne();
  assert.equal(device.shown.length, 1);
  await sql`UPDATE sessions SET used_at = clock_timestamp() WHERE user_id = ${person.userId}`.execute(server.app.db);
  await readOne();
  assert.deepEqual(removed, [1, 2, 3, 4, 5, 5, 5, 6]);
  assert.deepEqual(device.shown, []);
});

// rules: quiet-6
test('a notification that waits for the push service is dropped when quiet hours begin, and a shown one stays', async () => {
  const shownId = await sender.direct([person.userId], 'before');
  assert.equal((await last()).message_id, shownId);
  service.behaviour = (response) => !!response.writeHead(503).end();
  await sender.direct([person.userId], 'too late');
  await webPushOf(server.app).settled();
  await person.ok('PATCH', '/users/me/quiet_hours', { paused_until: inSeconds(3600) });
  service.behaviour = undefined;
  await sender.direct([person.userId], 'silent');
  await sent();
  // The failed push may have arrived, so a silent one takes its message away.
  const shown = device.received.map(({ payload }) =>
    payload.kind === 'message' ? [payload.text, payload.message_ids, payload.is_update] : [],
  );
  assert.deepEqual(shown, [
    ['before', [shownId], false],
    ['before', [shownId], true],
  ]);
});
