/**
 * Organizations do not see each other (design, "Organizations"): every endpoint is tried with every kind of id of another
 * organization, by the most powerful caller there is in the own one. A new endpoint or parameter fails here until the tables
 * below say what an attacker would put into it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allEndpoints } from '@heddle/api/all-endpoints.ts';
import type { Endpoint } from '@heddle/api/contract.ts';
import { sql } from 'kysely';
import { Role } from './directory/records.ts';
import { type Fields, type TestAnswer, TestClient, type TestQueue } from './testing/client.ts';
import { fillPath } from './testing/endpoints.ts';
import { startTestServer, type TestServer } from './testing/server.ts';

/** What exists in the other organization. */
interface Victim {
  readonly owner: TestClient;
  readonly member: TestClient;
  readonly publicChannel: number;
  readonly privateChannel: number;
  readonly group: number;
  /** Ids of messages are counted by each organization for itself: this one is beyond the attacker's. */
  readonly message: number;
  readonly snippet: number;
  readonly queue: TestQueue;
}

const channelName = 'victims channel';
const privateName = 'victims cellar';
/** Things that the attacker never says. */
const secrets = [
  'Vera Victim',
  'Mo Member',
  'a secret description',
  'a secret topic',
  'a secret message',
  'a secret title',
];

let server: TestServer;
let victim: Victim;
let attackers: readonly TestClient[];
const endpoints = await allEndpoints();

before(async () => {
  server = await startTestServer({ environment: { HEDDLE_DEV_LOGIN: '1' } });
  const owner = await server.organization('victim');
  const member = await server.user({ subdomain: 'victim', name: 'Mo Member' });
  const create = async (name: string, invite_only: boolean): Promise<number> => {
    const subscribers = [owner.userId, member.userId];
    const description = 'a secret description';
    return (await owner.ok('POST', '/channels/create', { name, description, subscribers, invite_only })).id;
  };
  const publicChannel = await create(channelName, false);
  const privateChannel = await create(privateName, true);
  for (let count = 0; count < 20; count += 1) await owner.send(publicChannel, 'a secret topic', 'a secret message');
  await owner.direct([member.userId], 'a secret message');
  const message = await member.send(privateChannel, 'a secret topic', 'a secret message');
  const { state } = await owner.register({ fetch_event_types: ['realm_user_groups'], event_types: [] });
  const group = state.realm_user_groups[0].id;
  const secret = { title: 'a secret title', content: 'a secret snippet' };
  const { saved_snippet_id: snippet } = await owner.ok('POST', '/saved_snippets', secret);
  victim = { owner, member, snippet, publicChannel, privateChannel, group, message, queue: await member.register() };
  attackers = [server.owner, await server.user(), await server.user({ role: Role.guest })];
  await server.owner.send('general', 'own', 'own');
});
after(() => server.stop());

/** Parameters that name nothing that belongs to anybody. */
const harmless = new Set([
  ...['apply_markdown', 'client_gravatar', 'include_custom_profile_fields', 'allow_empty_topic_name', 'slim_presence'],
  ...['content', 'topic', 'type', 'op', 'flag', 'local_id', 'read_by_sender', 'password'],
  ...['num_before', 'num_after', 'include_anchor', 'use_first_unread_anchor', 'dont_block', 'last_event_id'],
  ...['event_types', 'fetch_event_types', 'all_public_streams', 'include_subscribers', 'client_capabilities'],
  ...[
    'include_public',
    'include_web_public',
    'include_subscribed',
    'exclude_archived',
    'include_all',
    'include_default',
  ],
  ...['include_owner_subscribed', 'include_can_access_content', 'include_all_active'],
  ...['name', 'description', 'announce', 'invite_only', 'is_web_public', 'is_default_stream', 'topics_policy'],
  ...['history_public_to_subscribers', 'message_retention_days', 'authorization_errors_fatal'],
  ...['send_new_subscription_messages'],
]);

interface Attempt {
  readonly fields: Fields;
  /** Refused, or carried out without reaching the other organization. */
  readonly ends: 'refused' | 'harmless';
}

const refused = (fields: Fields): Attempt => ({ fields, ends: 'refused' });
const noEffect = (fields: Fields): Attempt => ({ fields, ends: 'harmless' });

const groupParameters = (endpoint: Endpoint): readonly string[] =>
  Object.keys(endpoint.parameters).filter((name) => /^can_\w+_group$/.test(name));

/** By operation, everything that an attacker would put into it. */
function attemptsOn(endpoint: Endpoint): readonly Attempt[] | undefined {
  const { owner, member, publicChannel, privateChannel, message, queue, group } = victim;
  const channels = [publicChannel, privateChannel];
  const users = [owner.userId, member.userId];
  const text = { topic: 'x', content: 'x' };
  const attempts: Readonly<Record<string, readonly Attempt[]>> = {
    'fetch-api-key': [refused({ username: owner.email, password: 'correct horse battery' })],
    'dev-fetch-api-key': [refused({ username: owner.email })],
    'get-server-settings': [noEffect({})],
    'get-users': [noEffect({}), noEffect({ user_ids: users })],
    'get-own-user': [noEffect({})],
    'get-user': users.map((user_id) => refused({ user_id })),
    'get-user-by-email': [owner.email, member.email, `user${owner.userId}@localhost`].map((email) =>
      refused({ email }),
    ),
    'create-channel': [
      ...users.map((user) => refused({ name: 'x', subscribers: [user] })),
      refused({ name: 'x', subscribers: [], folder_id: 1 }),
      ...groupParameters(endpoint).flatMap((name) => [
        refused({ name: 'x', subscribers: [], [name]: group }),
        refused({ name: 'x', subscribers: [], [name]: { direct_members: [owner.userId], direct_subgroups: [] } }),
        refused({ name: 'x', subscribers: [], [name]: { direct_members: [], direct_subgroups: [group] } }),
      ]),
    ],
    'get-streams': [noEffect({}), noEffect({ include_all: true, exclude_archived: false })],
    'get-stream-by-id': channels.map((stream_id) => refused({ stream_id })),
    'get-stream-id': [channelName, privateName].map((stream) => refused({ stream })),
    'get-subscribers': channels.map((stream_id) => refused({ stream_id })),
    'get-subscriptions': [noEffect({ include_subscribers: true })],
    subscribe: [
      ...users.map((user) => refused({ subscriptions: [{ name: 'general' }], principals: [user] })),
      refused({ subscriptions: [{ name: 'general' }], principals: [owner.email] }),
      refused({ subscriptions: [{ name: 'x' }], folder_id: 1 }),
      ...groupParameters(endpoint).map((name) => refused({ subscriptions: [{ name: 'x' }], [name]: group })),
    ],
    unsubscribe: [
      refused({ subscriptions: [channelName] }),
      refused({ subscriptions: ['general'], principals: users }),
      refused({ subscriptions: ['general'], principals: [member.email] }),
    ],
    'update-subscriptions': [refused({ delete: [privateName] }), noEffect({ add: [{ name: `${privateName} too` }] })],
    'update-subscription-settings': channels.map((stream_id) =>
      refused({ subscription_data: [{ stream_id, property: 'color', value: '#c2c2c2' }] }),
    ),
    'get-subscription-status': [
      ...users.map((user_id) => refused({ user_id, stream_id: publicChannel })),
      refused({ user_id: server.owner.userId, stream_id: privateChannel }),
    ],
    'get-stream-topics': channels.map((stream_id) => refused({ stream_id })),
    'send-message': [
      ...[...channels, channelName, privateName].map((to) => refused({ type: 'channel', to, ...text })),
      ...[[owner.userId], [owner.email], owner.email].map((to) => refused({ type: 'direct', to, ...text })),
      noEffect({ type: 'direct', to: [server.owner.userId], ...text, queue_id: queue.id, local_id: '1' }),
    ],
    'get-message': [refused({ message_id: message })],
    'get-messages': [
      noEffect({ anchor: message, num_before: 10, num_after: 10 }),
      noEffect({ message_ids: [message, message - 1] }),
      ...[publicChannel, privateChannel, channelName, privateName].flatMap((operand) => [
        noEffect({ anchor: 'oldest', num_before: 0, num_after: 100, narrow: [{ operator: 'channel', operand }] }),
        noEffect({
          anchor: 'oldest',
          num_before: 0,
          num_after: 100,
          narrow: [{ operator: 'channel', operand, negated: true }],
        }),
      ]),
      ...(['dm', 'dm-including', 'sender'] as const).flatMap((operator) =>
        [owner.userId, owner.email].map((operand) =>
          noEffect({ anchor: 'oldest', num_before: 0, num_after: 100, narrow: [{ operator, operand }] }),
        ),
      ),
      ...(['id', 'near'] as const).map((operator) =>
        noEffect({ anchor: 'oldest', num_before: 0, num_after: 100, narrow: [{ operator, operand: message }] }),
      ),
    ],
    'update-message-flags': [noEffect({ messages: [message], op: 'add', flag: 'starred' })],
    'register-queue': [noEffect({ narrow: [['stream', channelName]] }), noEffect({ all_public_streams: true })],
    'get-events': [refused({ queue_id: queue.id, last_event_id: 0, dont_block: true })],
    'delete-queue': [refused({ queue_id: queue.id })],
    'get-saved-snippets': [noEffect({})],
    'create-saved-snippet': [noEffect({ title: 'x', content: 'x' })],
    'edit-saved-snippet': [refused({ saved_snippet_id: victim.snippet, title: 'x', content: 'x' })],
    'delete-saved-snippet': [refused({ saved_snippet_id: victim.snippet })],
    'set-typing-status': [
      refused({ type: 'direct', op: 'start', to: [owner.userId] }),
      ...channels.map((stream_id) => refused({ type: 'channel', op: 'start', stream_id, topic: 'x' })),
    ],
  };
  return attempts[endpoint.operationId];
}

test('the attempts use every parameter that could name something of another organization', () => {
  for (const endpoint of endpoints) {
    const attempts = attemptsOn(endpoint);
    assert(attempts !== undefined && attempts.length > 0, `nothing is tried on ${endpoint.operationId}`);
    const tried = new Set(attempts.flatMap(({ fields }) => Object.keys(fields)));
    const missing = Object.keys(endpoint.parameters).filter((name) => !tried.has(name) && !harmless.has(name));
    assert.deepEqual(missing, [], `${endpoint.operationId} is not tried with these`);
  }
});

function call(client: TestClient, endpoint: Endpoint, fields: Fields): Promise<TestAnswer> {
  const { path, rest } = fillPath(endpoint, fields);
  return client.call(endpoint.method, path, rest);
}

/** Every row that belongs to the victim, but when its queues were last asked. */
async function victimsRows(): Promise<Readonly<Record<string, unknown>>> {
  const { db, organizations } = server.rooms;
  const organization = await organizations.bySubdomain('victim');
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'organization_id' ORDER BY 1`.execute(db);
  assert(tables.length > 10, 'the tables were not found');
  const entries = tables.map(async ({ name }) => {
    const { rows } = await sql<{ row: unknown }>`
      SELECT to_jsonb(t) - 'last_fetched_at' AS row FROM ${sql.table(name)} t
       WHERE organization_id = ${organization?.id} ORDER BY 1`.execute(db);
    return [name, rows.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

test("another organization's ids are refused or invisible on every endpoint, and nothing there changes", async () => {
  const before = await victimsRows();
  for (const endpoint of endpoints) {
    for (const { fields, ends } of attemptsOn(endpoint) ?? []) {
      for (const attacker of attackers) {
        const { status, body } = await call(attacker, endpoint, fields);
        const what = `${endpoint.operationId} ${JSON.stringify(fields)} answered ${status} ${JSON.stringify(body)}`;
        assert(status < 500, what);
        if (ends === 'refused') assert(status >= 400, what);
        for (const secret of secrets) assert(!JSON.stringify(body).includes(secret), what);
      }
    }
  }
  assert.deepEqual(await victimsRows(), before);
  assert.deepEqual(await victim.queue.now(), [], 'the victim heard of it');
});

test('messages of two organizations under one id are each their own', async () => {
  const own = await server.owner.send('general', 'own', 'mine');
  const theirs = await victim.owner.ok('GET', `/messages/${own}`, { apply_markdown: false });
  assert.equal(theirs.message.content, 'a secret message');
  const mine = await server.owner.ok('GET', `/messages/${own}`, { apply_markdown: false });
  assert.equal(mine.message.content, 'mine');
  await server.owner.ok('POST', '/messages/flags', { messages: [own], op: 'add', flag: 'starred' });
  const { state } = await victim.owner.register({ fetch_event_types: ['starred_messages'], event_types: [] });
  assert.deepEqual(state.starred_messages, []);
});

test('credentials of one organization open nothing in another', async () => {
  const { host } = new URL(server.url);
  const { owner } = victim;
  const stranger = new TestClient({
    url: server.url,
    host,
    email: owner.email,
    apiKey: owner.apiKey,
    userId: owner.userId,
    name: owner.name,
  });
  const mixed = new TestClient({
    url: server.url,
    host,
    email: owner.email,
    apiKey: server.owner.apiKey,
    userId: owner.userId,
    name: owner.name,
  });
  for (const endpoint of endpoints.filter(({ authentication }) => authentication === 'required')) {
    for (const client of [stranger, mixed]) {
      for (const { fields } of attemptsOn(endpoint) ?? []) {
        const { status, body } = await call(client, endpoint, fields);
        assert.equal(status, 401, `${endpoint.operationId} answered ${JSON.stringify(body)}`);
        assert.equal(body.code, 'UNAUTHORIZED');
      }
    }
  }
});
