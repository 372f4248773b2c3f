import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let spectator: TestClient;
let shownId: number;
let hiddenId: number;
/** Messages in the channel that spectators see, in a public channel that they do not see, and between two users. */
const ids = { shown: 0, hidden: 0, direct: 0 };

const WEB_PUBLIC = { operator: 'channels', operand: 'web-public' };

before(async () => {
  server = await startTestServer();
  ({ owner, spectator } = server);
  member = await server.user();
  shownId = await server.emptyChannel(owner, 'shown', { principals: [member.userId] });
  hiddenId = await server.emptyChannel(owner, 'hidden', { principals: [member.userId] });
  await letIn(true);
  await show(shownId, true);
  ids.shown = await member.send('shown', 'open topic', '**open** words');
  ids.hidden = await member.send('hidden', 'secret topic', 'secret words');
  ids.direct = await member.direct([owner.userId], 'secret words');
});
after(() => server.stop());

const letIn = (enable_spectator_access: boolean) => owner.ok('PATCH', '/realm', { enable_spectator_access });
const show = (id: number, is_web_public: boolean) => owner.ok('PATCH', `/streams/${id}`, { is_web_public });

const range = (narrow: readonly unknown[], more: Fields = {}) => ({
  ...{ anchor: 'newest', num_before: 100, num_after: 0, narrow },
  ...more,
});

async function fetched(narrow: readonly unknown[] = [WEB_PUBLIC], more: Fields = {}): Promise<Json[]> {
  return (await spectator.ok('GET', '/messages', range(narrow, more))).messages;
}

const idsOf = (messages: readonly Json[]) => messages.map(({ id }) => id);

async function isAskedForCredentials(path: string, fields: Fields = {}): Promise<void> {
  const { status, headers, body } = await spectator.call('GET', path, fields);
  assert.deepEqual(
    [status, headers['www-authenticate'], body.code, body.msg],
    [401, 'Basic realm="zulip"', 'UNAUTHORIZED', 'Not logged in: API authentication or user session required'],
    `${path} ${JSON.stringify(fields)}`,
  );
}

// rules: spectators-1
test('a spectator fetches a message of a web-public channel as read, without its sender’s address', async () => {
  const { message, raw_content } = await spectator.ok('GET', `/messages/${ids.shown}`);
  assert.equal(raw_content, '**open** words');
  assert.deepEqual(
    [message.content, message.flags, message.sender_full_name, message.sender_email, message.stream_id],
    ['<p><strong>open</strong> words</p>', ['read'], member.name, `user${member.userId}@localhost`, shownId],
  );
  const known = await member.ok('GET', '/messages', { message_ids: [ids.shown], client_gravatar: false });
  assert.notEqual(
    message.avatar_url,
    known.messages[0].avatar_url,
    'the avatar URL does not confirm a guessed address',
  );
  assert.match(message.avatar_url, /^https:/);
});

// rules: spectators-2
test('all other messages require credentials, whether they exist or not', async () => {
  for (const id of [ids.hidden, ids.direct, 0, 987_654, Number.MAX_SAFE_INTEGER]) {
    await isAskedForCredentials(`/messages/${id}`);
  }
});

// rules: spectators-2
test('wrong credentials are refused instead of treated as a spectator', async () => {
  const headers = { authorization: `Basic ${btoa('nobody@example.com:x')}` };
  for (const [path, fields] of [
    [`/messages/${ids.shown}`, {}],
    ['/messages', range([WEB_PUBLIC])],
    [`/users/me/${shownId}/topics`, {}],
  ] as const) {
    const { status, body } = await spectator.call('GET', path, fields, headers);
    assert.deepEqual([status, body.msg], [401, 'Malformed API key']);
  }
});

// rules: spectators-3
test('a spectator’s narrow must have channels:web-public and no personal terms', async () => {
  for (const narrow of [[WEB_PUBLIC], [['streams', 'web-public']], [{ operator: 'in', operand: 'home' }, WEB_PUBLIC]]) {
    assert.deepEqual(idsOf(await fetched(narrow)).slice(-1), [ids.shown]);
  }
  const others = [
    [],
    [{ operator: 'channel', operand: shownId }],
    [{ operator: 'channels', operand: 'public' }],
    [{ ...WEB_PUBLIC, negated: true }],
    [WEB_PUBLIC, { operator: 'in', operand: 'home', negated: true }],
    [WEB_PUBLIC, { operator: 'in', operand: 'all' }],
    [WEB_PUBLIC, { operator: 'is', operand: 'unread' }],
    [WEB_PUBLIC, { operator: 'is', operand: 'starred' }],
    [WEB_PUBLIC, { operator: 'dm', operand: [member.userId] }],
    [WEB_PUBLIC, { operator: 'dm-including', operand: member.userId }],
    [WEB_PUBLIC, { operator: 'dm', operand: [member.userId], negated: true }],
  ];
  for (const narrow of others) await isAskedForCredentials('/messages', range(narrow));
  await isAskedForCredentials('/messages', { message_ids: [ids.shown] });
});

// rules: spectators-3
test('a spectator receives only messages of web-public channels, in any narrow', async () => {
  const all = idsOf(await member.ok('GET', '/messages', range([])).then(({ messages }) => messages));
  assert(all.includes(ids.hidden) && all.includes(ids.direct));
  const message_ids = Array.from({ length: Math.max(...all) }, (_, index) => index + 1);
  const ofShown = idsOf(
    (await owner.ok('GET', '/messages', range([{ operator: 'channel', operand: shownId }]))).messages,
  );
  assert.deepEqual(idsOf(await fetched()), ofShown);
  const { messages } = await spectator.ok('GET', '/messages', { message_ids, narrow: [WEB_PUBLIC] });
  assert.deepEqual(idsOf(messages), ofShown);
  const more: readonly (readonly [Json, readonly number[]])[] = [
    [{ operator: 'channel', operand: shownId }, ofShown],
    [{ operator: 'channel', operand: 'shown', negated: true }, []],
    [{ operator: 'topic', operand: 'secret topic' }, []],
    [{ operator: 'topic', operand: 'open topic' }, [ids.shown]],
    [{ operator: 'topic', operand: 'open topic', negated: true }, ofShown.filter((id) => id !== ids.shown)],
    [{ operator: 'sender', operand: member.userId }, [ids.shown]],
    [{ operator: 'sender', operand: member.userId, negated: true }, ofShown.filter((id) => id !== ids.shown)],
    [{ operator: 'id', operand: ids.hidden }, []],
    [{ operator: 'id', operand: ids.direct }, []],
    [{ operator: 'id', operand: ids.hidden, negated: true }, ofShown],
    [{ operator: 'near', operand: ids.hidden }, ofShown],
    [{ operator: 'has', operand: 'reaction' }, []],
  ];
  for (const [term, expected] of more) {
    assert.deepEqual(idsOf(await fetched([WEB_PUBLIC, term])), expected, JSON.stringify(term));
    assert.deepEqual(
      idsOf(await fetched([WEB_PUBLIC, term], { anchor: 'first_unread' })),
      expected,
      JSON.stringify(term),
    );
  }
});

// rules: spectators-3
test('channels and users in a spectator’s narrow must be visible to spectators', async () => {
  const refused = async (term: Json) => (await spectator.fails('GET', '/messages', range([WEB_PUBLIC, term]))).msg;
  for (const operand of ['hidden', hiddenId, 'nothing', 999_999]) {
    assert.equal(
      await refused({ operator: 'channel', operand }),
      `Invalid narrow operator: unknown web-public channel ${operand}`,
    );
  }
  // No user has a placeholder address of another host.
  for (const operand of [member.email, `user${member.userId}@elsewhere.example.com`, 'stranger@example.com']) {
    assert.equal(await refused({ operator: 'sender', operand }), `Invalid narrow operator: unknown user ${operand}`);
  }
  const bySender = { operator: 'sender', operand: `user${member.userId}@localhost` };
  assert.deepEqual(idsOf(await fetched([WEB_PUBLIC, bySender])), [ids.shown]);
});

// rules: spectators-10
test('a spectator can fetch at most a thousand messages at once', async () => {
  await spectator.ok('GET', '/messages', range([WEB_PUBLIC], { num_before: 1000 }));
  const { msg } = await spectator.fails('GET', '/messages', range([WEB_PUBLIC], { num_before: 1000, num_after: 1 }));
  assert.equal(msg, 'Too many messages requested (maximum 1000).');
  const message_ids = Array.from({ length: 1001 }, (_, index) => index);
  await spectator.fails('GET', '/messages', { message_ids, narrow: [WEB_PUBLIC] });
});

// rules: spectators-1
test('a spectator lists topics of a web-public channel, and other channels are not found', async () => {
  const { topics } = await spectator.ok('GET', `/users/me/${shownId}/topics`);
  assert(topics.some(({ name, max_id }: Json) => name === 'open topic' && max_id === ids.shown));
  for (const id of [hiddenId, 999_999]) {
    const { code, msg } = await spectator.fails('GET', `/users/me/${id}/topics`);
    assert.deepEqual([code, msg], ['BAD_REQUEST', 'Invalid channel ID']);
  }
});

// rules: spectators-5
test('the reactions that a spectator receives contain only the user’s id', async () => {
  const id = await owner.send('shown', 'reactions', 'x');
  await member.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
  const [message] = await fetched([WEB_PUBLIC, { operator: 'has', operand: 'reaction' }]);
  assert.equal(message.id, id);
  const { emoji_name, emoji_code, reaction_type, ...more } = message.reactions[0];
  assert.deepEqual(
    [emoji_name, emoji_code, reaction_type, more],
    ['tada', '1f389', 'unicode_emoji', { user_id: member.userId }],
  );
  assert(!JSON.stringify(message).includes('example.com'));
});

// rules: spectators-5
test('spectators receive a message’s edits, but nothing from its time in a hidden channel', async () => {
  const id = await owner.send('hidden', 'secret plan', 'secret draft');
  await owner.ok('PATCH', `/messages/${id}`, { content: 'first words' });
  await owner.ok('PATCH', `/messages/${id}`, {
    stream_id: shownId,
    topic: 'news',
    send_notification_to_new_thread: false,
  });
  await owner.ok('PATCH', `/messages/${id}`, { content: 'last words' });
  const { message } = await spectator.ok('GET', `/messages/${id}`);
  assert.deepEqual(
    message.edit_history.map(({ prev_content }: Json) => prev_content),
    ['first words'],
  );
  const [inPage] = await fetched([WEB_PUBLIC, { operator: 'id', operand: id }]);
  for (const one of [message, inPage]) assert(!/secret/.test(JSON.stringify(one)), JSON.stringify(one));
  assert.equal((await owner.ok('GET', `/messages/${id}`)).message.edit_history.length, 3);
});

// rules: spectators-6
test('archived channels, former web-public channels and organizations without spectator access show nothing', async () => {
  const id = await server.emptyChannel(owner, 'for a while');
  const messageId = await owner.send('for a while', 'topic', 'content');
  const paths = [`/messages/${messageId}`, `/users/me/${id}/topics`];
  const sees = async () => Promise.all(paths.map(async (path) => (await spectator.call('GET', path)).status));
  assert.deepEqual(await sees(), [401, 400]);
  await show(id, true);
  assert.deepEqual(await sees(), [200, 200]);
  await letIn(false);
  assert.deepEqual(await sees(), [401, 401]);
  await isAskedForCredentials('/messages', range([WEB_PUBLIC]));
  await letIn(true);
  await owner.ok('DELETE', `/streams/${id}`);
  assert.deepEqual(await sees(), [401, 400]);
  assert(!idsOf(await fetched()).includes(messageId));
  await owner.ok('PATCH', `/streams/${id}`, { is_archived: false });
  assert.deepEqual(await sees(), [200, 200]);
  await show(id, false);
  assert.deepEqual(await sees(), [401, 400]);
});

// rules: subscriptions-8
test('without web-public channels, or with a server that disables them, spectators are refused', async () => {
  await show(shownId, false);
  await isAskedForCredentials('/messages', range([WEB_PUBLIC]));
  await isAskedForCredentials(`/users/me/${shownId}/topics`);
  await show(shownId, true);
  const closed = await startTestServer({ environment: { HEDDLE_WEB_PUBLIC_CHANNELS: 'off' }, shared: server.shared });
  try {
    for (const [path, fields] of [
      [`/messages/${ids.shown}`, {}],
      ['/messages', range([WEB_PUBLIC])],
      [`/users/me/${shownId}/topics`, {}],
    ] as const) {
      const { status, body } = await closed.spectator.call('GET', path, fields);
      assert.deepEqual([status, body.code], [401, 'UNAUTHORIZED'], path);
    }
    const made = await closed.owner.fails('POST', '/channels/create', {
      name: 'x',
      subscribers: [],
      is_web_public: true,
    });
    assert.equal(made.msg, 'Web-public channels are not enabled.');
  } finally {
    await closed.stop();
  }
});

// rules: spectators-4
test('channels:public and channels:web-public also find messages of unsubscribed channels, but no inaccessible ones', async () => {
  const newcomer = await server.user();
  const guest = await server.user({ role: 600 });
  const found = async (client: TestClient, operand: string, more: readonly Json[] = []) =>
    idsOf((await client.ok('GET', '/messages', range([{ operator: 'channels', operand }, ...more]))).messages);
  const everywhere = await found(newcomer, 'public');
  assert(everywhere.includes(ids.shown) && everywhere.includes(ids.hidden) && !everywhere.includes(ids.direct));
  assert.deepEqual(await found(guest, 'public'), await found(guest, 'web-public'));
  assert((await found(guest, 'web-public')).includes(ids.shown));
  const sent = [{ operator: 'sender', operand: member.userId }];
  assert.deepEqual(await found(newcomer, 'public', sent), [ids.shown, ids.hidden]);
  const except = [{ operator: 'channels', operand: 'web-public', negated: true }];
  const { messages } = await member.ok('GET', '/messages', range(except));
  assert(idsOf(messages).includes(ids.direct) && !idsOf(messages).includes(ids.shown));
  const { code } = await member.fails('GET', '/messages', range([{ operator: 'channels', operand: 'private' }]));
  assert.equal(code, 'BAD_NARROW');
});
