import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { systemGroup } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let administrator: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.user({ role: Role.administrator });
  member = await server.user();
});
after(() => server.stop());

/** The fields that a subscription has in addition to its channel’s. */
const OWN = [
  'audible_notifications',
  'color',
  'desktop_notifications',
  'email_notifications',
  'in_home_view',
  'is_muted',
  'pin_to_top',
  'push_notifications',
  'subscribers',
  'wildcard_mentions_notify',
];

/** Returns the channel’s fields of a subscription. */
function channelIn(subscription: Json): Json {
  return Object.fromEntries(Object.entries(subscription).filter(([name]) => !OWN.includes(name)));
}

/** Creates a channel as the owner. Returns its id and the events that the owner’s queue received. */
async function created(fields: Fields) {
  const queue = await owner.register({ event_types: ['stream', 'subscription'] });
  const began = Math.floor(Date.now() / 1000);
  const { id } = await owner.ok('POST', '/channels/create', { subscribers: [owner.userId, member.userId], ...fields });
  const events: readonly Json[] = await queue.now();
  const find = (type: string, op: string) => events.find((event) => event.type === type && event.op === op);
  const dateCreated = (await owner.ok('GET', `/streams/${id}`)).stream.date_created;
  assert(dateCreated >= began && dateCreated <= Date.now() / 1000);
  return { id, dateCreated, create: find('stream', 'create'), add: find('subscription', 'add') };
}

/** Returns the channel as each endpoint and the initial state list it. */
async function shown(id: number): Promise<readonly Json[]> {
  const of = (list: readonly Json[]) => list.filter(({ stream_id }) => stream_id === id);
  const { state } = await owner.register({ fetch_event_types: ['stream', 'subscription'] });
  const outsider = await administrator.register({ fetch_event_types: ['subscription'] });
  return [
    (await owner.ok('GET', `/streams/${id}`)).stream,
    ...of((await owner.ok('GET', '/streams')).streams),
    ...of((await owner.ok('GET', '/users/me/subscriptions')).subscriptions).map(channelIn),
    ...of(state.streams),
    ...of(state.subscriptions).map(channelIn),
    ...of(outsider.state.never_subscribed).map(channelIn),
  ];
}

async function group(name: `role:${string}`): Promise<number> {
  return systemGroup(server, name);
}

// rules: channels-1
test('a channel created with defaults has every field, equal in all responses and events', async () => {
  const { id, dateCreated, create, add } = await created({ name: 'plain' });
  const [nobody, everyone] = [await group('role:nobody'), await group('role:everyone')];
  const { messages } = await owner.ok('GET', '/messages', {
    ...{ anchor: 'oldest', num_before: 0, num_after: 1, narrow: [{ operator: 'channel', operand: id }] },
  });
  const plain = {
    stream_id: id,
    name: 'plain',
    is_archived: false,
    description: '',
    rendered_description: '',
    date_created: dateCreated,
    creator_id: owner.userId,
    invite_only: false,
    is_web_public: false,
    stream_post_policy: 1,
    is_announcement_only: false,
    message_retention_days: null,
    history_public_to_subscribers: true,
    topics_policy: 'inherit',
    first_message_id: messages[0].id,
    folder_id: null,
    is_recently_active: true,
    subscriber_count: 2,
    stream_weekly_traffic: null,
    can_add_subscribers_group: nobody,
    can_administer_channel_group: { direct_members: [owner.userId], direct_subgroups: [] },
    can_delete_any_message_group: nobody,
    can_delete_own_message_group: nobody,
    can_move_messages_out_of_channel_group: nobody,
    can_move_messages_within_channel_group: nobody,
    can_remove_subscribers_group: await group('role:administrators'),
    can_resolve_topics_group: nobody,
    can_send_message_group: everyone,
    can_subscribe_group: nobody,
  };
  const everywhere = await shown(id);
  assert.equal(everywhere.length, 6);
  for (const channel of everywhere) assert.deepEqual(channel, plain);
  // The first message follows the channel, and clients add the subscribers by later events.
  const young = { ...plain, first_message_id: null };
  assert.deepEqual(create?.streams, [{ ...young, subscriber_count: 0 }]);
  assert.deepEqual(add?.subscriptions.map(channelIn), [young]);
});

// rules: channels-1
test('a channel created with all parameters has every field, equal in all responses and events', async () => {
  const { channel_folder_id } = await owner.ok('POST', '/channel_folders/create', { name: 'Front', description: '' });
  const [moderators, members] = [await group('role:moderators'), await group('role:members')];
  const only = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [] });
  const permissions = {
    can_add_subscribers_group: moderators,
    can_administer_channel_group: only(owner.userId, member.userId),
    can_delete_any_message_group: only(owner.userId),
    can_delete_own_message_group: members,
    can_move_messages_out_of_channel_group: only(member.userId),
    can_move_messages_within_channel_group: { direct_members: [owner.userId], direct_subgroups: [moderators] },
    can_remove_subscribers_group: moderators,
    can_resolve_topics_group: members,
    can_send_message_group: await group('role:administrators'),
    can_subscribe_group: only(administrator.userId),
  };
  const chosen = {
    name: 'chosen',
    description: 'For **loud** things',
    invite_only: true,
    history_public_to_subscribers: false,
    topics_policy: 'disable_empty_topic',
    message_retention_days: 30,
    folder_id: channel_folder_id,
    ...permissions,
  };
  const { id, dateCreated, create, add } = await created(chosen);
  const [{ first_message_id }] = (await shown(id)) as [Json];
  assert.equal(typeof first_message_id, 'number');
  const whole = {
    ...chosen,
    stream_id: id,
    is_archived: false,
    rendered_description: '<p>For <strong>loud</strong> things</p>',
    date_created: dateCreated,
    creator_id: owner.userId,
    is_web_public: false,
    stream_post_policy: 2,
    is_announcement_only: true,
    first_message_id,
    is_recently_active: true,
    subscriber_count: 2,
    stream_weekly_traffic: null,
  };
  const everywhere = await shown(id);
  assert.equal(everywhere.length, 6);
  for (const channel of everywhere) assert.deepEqual(channel, whole);
  const young = { ...whole, first_message_id: null };
  assert.deepEqual(create?.streams, [{ ...young, subscriber_count: 0 }]);
  assert.deepEqual(add?.subscriptions.map(channelIn), [young]);
});

// rules: channels-5
test('older clients receive the send permission as stream_post_policy and is_announcement_only', async () => {
  const policies = {
    'role:everyone': [1, false],
    'role:administrators': [2, true],
    'role:fullmembers': [3, false],
    'role:moderators': [4, false],
    // stream_post_policy has no value for this group.
    'role:owners': [1, false],
  } as const;
  const legacyFields = ({ stream_post_policy, is_announcement_only }: Json) => [
    stream_post_policy,
    is_announcement_only,
  ];
  for (const [name, policy] of Object.entries(policies)) {
    const can_send_message_group = await group(name as keyof typeof policies);
    const { id } = await created({ name: `posting ${name}`, can_send_message_group });
    assert.deepEqual((await shown(id)).map(legacyFields), Array(6).fill(policy), name);
  }
  const only = { direct_members: [member.userId], direct_subgroups: [] };
  const { id } = await created({ name: 'posting only', can_send_message_group: only });
  assert.deepEqual(legacyFields((await shown(id))[0]), [1, false]);
});

// rules: subscriptions-13
test('setting the topics policy of a new channel requires the organization’s permission, except for inherit', async () => {
  const mayDecide = async (name: `role:${string}`) =>
    owner.ok('PATCH', '/realm', { can_set_topics_policy_group: { new: await group(name) } });
  let made = 0;
  const attempt = (client: TestClient, topics_policy: string) => [
    client.call('POST', '/channels/create', { name: `policy ${++made}`, subscribers: [], topics_policy }),
    client.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: `policy ${++made}` }], topics_policy }),
  ];
  const answers = async (client: TestClient, policy: string) =>
    (await Promise.all(attempt(client, policy))).map(({ status, body }) => (status === 200 ? body.result : body.msg));
  await mayDecide('role:administrators');
  for (const policy of ['allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']) {
    assert.deepEqual(await answers(member, policy), Array(2).fill('Insufficient permission'));
    assert.deepEqual(await answers(administrator, policy), Array(2).fill('success'));
  }
  assert.deepEqual(await answers(member, 'inherit'), Array(2).fill('success'));
  await mayDecide('role:members');
  assert.deepEqual(await answers(member, 'disable_empty_topic'), Array(2).fill('success'));
});
