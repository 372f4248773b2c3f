import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient, TestQueue } from '../../../server/src/testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../../server/src/testing/server/server.ts';
import { Connection } from '../calls/connection.ts';
import type { InitialState, ServerEvent } from '../calls/types.ts';
import { Directory } from './directory.ts';
import type { PageFetcher } from './messages/message-pages.ts';
import { Messages } from './messages/messages.ts';
import { directPlace, keyOf } from './messages/places.ts';
import { Recent } from './messages/recent.ts';
import { pageFetcher } from './messages/server-calls.ts';

let server: TestServer;
let owner: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
});
after(() => server.stop());

const AS_THE_APP = {
  include_subscribers: 'partial',
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    user_settings_object: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    simplified_presence_events: true,
  },
};

async function follow(client: TestClient): Promise<{ readonly directory: Directory; readonly queue: TestQueue }> {
  const queue = await client.register(AS_THE_APP);
  return { directory: new Directory(queue.state as InitialState), queue };
}

async function catchUp({ directory, queue }: { readonly directory: Directory; readonly queue: TestQueue }) {
  for (const event of await queue.now()) directory.apply(event as ServerEvent);
}

/** Counts notifications until the end of the current task. */
function counter(subscribe: (listener: () => void) => () => void): () => number {
  let count = 0;
  subscribe(() => {
    count += 1;
  });
  return () => count;
}

test('readers of one user are notified of changes of this user only, once per batch of events', async () => {
  const [one, other] = [await server.user({ name: 'One' }), await server.user({ name: 'Other' })];
  const followed = await follow(owner);
  const { users } = followed.directory;
  const ofOne = counter(users.changesOf.of(one.userId).subscribe);
  const ofOther = counter(users.changesOf.of(other.userId).subscribe);
  for (const full_name of ['First', 'Second']) await owner.ok('PATCH', `/users/${one.userId}`, { full_name });
  await catchUp(followed);
  await Promise.resolve();
  assert.deepEqual([ofOne(), ofOther()], [1, 0]);
  assert.equal(users.get(one.userId)?.name, 'Second');
  assert.deepEqual(users.byName('second'), [users.get(one.userId)]);
  assert.deepEqual(users.byName('one'), []);
  assert.equal(users.byAddress(one.email.toUpperCase())?.id, one.userId);
});

test('the list of active users and the search follow deactivations and renames', async () => {
  const leaver = await server.user({ name: 'Zoë Leaver' });
  const followed = await follow(owner);
  const { users } = followed.directory;
  assert(users.activeByName.includes(leaver.userId));
  assert.equal(users.search('zoe', { limit: 1 })[0]?.id, leaver.userId);
  const people = users.activePeople;
  await owner.ok('PATCH', `/users/${leaver.userId}`, { full_name: 'Aaron Leaver' });
  await catchUp(followed);
  assert.equal(users.activeByName[0], leaver.userId);
  await owner.ok('DELETE', `/users/${leaver.userId}`);
  await catchUp(followed);
  assert(!users.activeByName.includes(leaver.userId));
  assert.equal(users.activePeople, people - 1);
  assert.equal(users.search('aaron', { limit: 1 })[0]?.isActive, false);
});

test('the channel list has pinned channels first, then folders, then others, each with muted ones apart', async () => {
  const member = await server.user();
  const { channel_folder_id: folder } = await owner.ok('POST', '/channel_folders/create', {
    ...{ name: 'Folder', description: '' },
  });
  const ids: Record<string, number> = {};
  for (const name of ['list 10', 'list 9', 'list muted', 'list pinned', 'list filed', 'list archived']) {
    ids[name] = await server.emptyChannel(owner, name, { principals: [member.userId] });
  }
  const followed = await follow(member);
  const { channelOrder } = followed.directory;
  const before = channelOrder.lists;
  assert.equal(channelOrder.lists, before);
  await owner.ok('PATCH', `/streams/${ids['list filed']}`, { folder_id: folder });
  await owner.ok('DELETE', `/streams/${ids['list archived']}`);
  const set = (name: string, property: string) => ({ stream_id: ids[name], property, value: true });
  const data = [set('list muted', 'is_muted'), set('list pinned', 'pin_to_top')];
  await member.ok('POST', '/users/me/subscriptions/properties', { subscription_data: data });
  await catchUp(followed);
  const { sections, archived } = channelOrder.lists;
  const own = (list: readonly number[]) => list.filter((id) => Object.values(ids).includes(id));
  assert.deepEqual(
    sections.map(({ kind, folder: inFolder, active, muted }) => [kind, inFolder?.name ?? null, own(active), muted]),
    [
      ['pinned', null, [ids['list pinned']], []],
      ['folder', 'Folder', [ids['list filed']], []],
      ['other', null, [ids['list 9'], ids['list 10']], [ids['list muted']]],
    ],
  );
  assert.deepEqual(archived, [ids['list archived']]);
});

test('the channel list puts inactive channels apart if the user wants that', async () => {
  const member = await server.user();
  const id = await server.emptyChannel(owner, 'silent', { principals: [member.userId] });
  const followed = await follow(member);
  const event = { id: 1, type: 'stream', op: 'update', stream_id: id, name: 'silent' } as const;
  followed.directory.apply({ ...event, property: 'is_recently_active', value: false });
  const inactive = () => followed.directory.channelOrder.lists.sections.flatMap((section) => section.inactive);
  assert.deepEqual(inactive(), []);
  await member.ok('PATCH', '/settings', { demote_inactive_streams: 2 });
  await catchUp(followed);
  assert.deepEqual(inactive(), [id]);
});

test('a list of subscribers is complete only if it has all of them', async () => {
  const known = await server.emptyChannel(owner, 'known');
  const unlisted = await server.emptyChannel(owner, 'unlisted', { principals: [(await server.user()).userId] });
  const queue = await owner.register({ ...AS_THE_APP, include_subscribers: false });
  const followed = { queue, directory: new Directory(queue.state as InitialState) };
  const { channels } = followed.directory;
  assert.deepEqual(channels.subscribersOf(unlisted), { ids: new Set([owner.userId]), isComplete: false });
  const newcomer = await server.user();
  for (const name of ['known', 'unlisted']) await newcomer.subscribe(name);
  await catchUp(followed);
  assert.equal(channels.get(unlisted)?.subscriberCount, 3);
  const ids = new Set([owner.userId, newcomer.userId]);
  assert.deepEqual(channels.subscribersOf(unlisted), { ids, isComplete: false });
  assert.equal(channels.isSubscriber(unlisted, newcomer.userId), true);
  assert.equal(channels.isSubscriber(unlisted, 987_654_321), undefined);
  assert.equal(channels.isSubscriber(unlisted, owner.userId), true);
  const { subscribers } = await owner.ok('GET', `/streams/${unlisted}/members`);
  channels.setSubscribers(unlisted, subscribers);
  assert.equal(channels.isSubscriber(unlisted, 987_654_321), false);

  const listed = (await follow(owner)).directory.channels.subscribersOf(known);
  assert.deepEqual(listed, { ids: new Set([owner.userId, newcomer.userId]), isComplete: true });
});

test('a deactivated user leaves groups and permissions, and returns with a reactivation', async () => {
  const [leaver, stayer] = [await server.user(), await server.user()];
  const named = { direct_members: [leaver.userId, stayer.userId], direct_subgroups: [] };
  await server.emptyChannel(owner, 'watched', { principals: [leaver.userId, stayer.userId] });
  const { stream_id: channelId } = await owner.ok('GET', '/get_stream_id', { stream: 'watched' });
  await owner.ok('PATCH', `/streams/${channelId}`, { can_send_message_group: { new: named } });
  await owner.ok('PATCH', '/realm', { can_add_custom_emoji_group: { new: named } });
  const members = [leaver.userId, stayer.userId];
  const fields = { name: 'weavers', description: '', members, can_mention_group: named };
  const { group_id: groupId } = await owner.ok('POST', '/user_groups/create', fields);
  const followed = await follow(owner);
  const { channels, organization, groups, users } = followed.directory;
  assert.deepEqual(groups.membersOf(groupId), new Set(members));
  const naming = () => [
    groups.get(groupId)?.permissions.can_mention_group,
    channels.get(channelId)?.permissions.can_send_message_group,
    organization.settings.can_add_custom_emoji_group,
  ];
  await owner.ok('DELETE', `/users/${leaver.userId}`);
  await catchUp(followed);
  assert.deepEqual(groups.membersOf(groupId), new Set([stayer.userId]));
  assert(!users.activeByName.includes(leaver.userId));
  const alone = { direct_members: [stayer.userId], direct_subgroups: [] };
  assert.deepEqual(naming(), [alone, alone, alone]);
  assert.deepEqual(followed.directory.plain(), (await follow(owner)).directory.plain());
  await owner.ok('POST', `/users/${leaver.userId}/reactivate`);
  await catchUp(followed);
  assert.deepEqual(groups.membersOf(groupId), new Set(members));
  assert.deepEqual(naming(), [named, named, named]);
  assert.deepEqual(followed.directory.plain(), (await follow(owner)).directory.plain());
});

test('members of subgroups belong to a group at any depth, and readers of the group are notified', async () => {
  const person = await server.user();
  const ids: number[] = [];
  for (const name of ['inner', 'middle', 'outer']) {
    const fields = { name, description: '', members: [], subgroups: ids.slice(-1) };
    ids.push((await owner.ok('POST', '/user_groups/create', fields)).group_id);
  }
  const [inner = 0, middle = 0, outer = 0] = ids;
  const followed = await follow(owner);
  const { groups } = followed.directory;
  const ofOuter = counter(groups.changesOf.of(outer).subscribe);
  assert.deepEqual(groups.membersOf(outer), new Set());
  await owner.ok('POST', `/user_groups/${inner}/members`, { add: [person.userId] });
  await catchUp(followed);
  await Promise.resolve();
  assert.equal(ofOuter(), 1);
  assert.deepEqual(groups.membersOf(outer), new Set([person.userId]));
  assert(groups.includes({ direct_members: [], direct_subgroups: [outer] }, person.userId));
  await owner.ok('POST', `/user_groups/${outer}/deactivate`);
  await catchUp(followed);
  assert.deepEqual(groups.membersOf(outer), new Set());
  assert(groups.isMember(middle, person.userId) && !groups.isMember(outer, person.userId));
});

test('a status follows from the times of the last activity and the last report', async () => {
  const [active, idle] = [await server.user(), await server.user()];
  for (const [client, status] of [
    [active, 'active'],
    [idle, 'idle'],
  ] as const)
    await client.ok('POST', '/users/me/presence', { status, ping_only: true });
  const { presence } = (await follow(owner)).directory;
  const answer = await owner.ok('POST', '/users/me/presence', {
    status: 'active',
    last_update_id: -1,
    slim_presence: true,
  });
  presence.applyReport(answer);
  assert.equal(presence.lastUpdateId, answer.presence_last_update_id);
  const now = answer.server_timestamp;
  const statuses = (at: number) => [active, idle].map(({ userId }) => presence.statusOf(userId, at));
  // New accounts count as active since they joined.
  assert.equal(statuses(now)[0], 'active');
  assert.deepEqual(statuses(now + 500), ['offline', 'offline']);
  presence.apply({
    ...{ id: 1, type: 'presence' },
    presences: { [idle.userId]: { active_timestamp: now - 500, idle_timestamp: now } },
  });
  assert.deepEqual(statuses(now), ['active', 'idle']);
  assert(presence.online(now).includes(idle.userId));
  assert.deepEqual(presence.online(now + 500), []);
});

test('a spectator has public channels, and may do nothing that needs an account', async () => {
  const { name } = await server.user({ name: 'Visible' });
  await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
  await owner.ok('POST', '/channels/create', { name: 'open', subscribers: [owner.userId], is_web_public: true });
  const state = await server.spectator.ok('POST', '/register');
  const directory = new Directory(state as InitialState);
  assert(directory.account.isSpectator && name !== '');
  const channel = directory.channels.byName('OPEN');
  assert(channel !== undefined);
  assert.equal(directory.permissions.channels.contentAccess(channel), 'all');
  const refused = [
    directory.permissions.channels.post(channel),
    directory.permissions.channels.create('public'),
    directory.permissions.invite('mail'),
    directory.permissions.changeOrganization('name'),
  ];
  for (const result of refused) assert.deepEqual(result, { allowed: false, reason: 'spectator' });
});

test('a new member learns that the waiting period is the reason of a refusal', async () => {
  const member = await server.user();
  const followed = await follow(member);
  const { groups, permissions } = followed.directory;
  const fullMembers = groups.byName('role:fullmembers')?.id ?? 0;
  await owner.ok('PATCH', '/realm', {
    waiting_period_threshold: 3,
    can_create_public_channel_group: { new: fullMembers },
  });
  await catchUp(followed);
  const refusal = { allowed: false, reason: 'waiting period', allowedTo: fullMembers };
  assert.deepEqual(permissions.channels.create('public'), refusal);
});

test('followed and muted topics are found in any case', async () => {
  const id = await server.emptyChannel(owner, 'topics');
  const followed = await follow(owner);
  const { topicPolicies } = followed.directory;
  await owner.send('topics', 'Plans', 'hello');
  await owner.ok('POST', '/user_topics', { stream_id: id, topic: 'plans', visibility_policy: 3 });
  await catchUp(followed);
  assert(topicPolicies.isFollowed(id, 'PLANS'));
  assert.equal(topicPolicies.isMuted(id, 'Plans', true), false);
  assert.equal(topicPolicies.isMuted(id, 'other', true), true);
  assert.deepEqual(
    topicPolicies.withPolicy('followed').map(({ channelId, topic }) => [channelId, topic.toLowerCase()]),
    [[id, 'plans']],
  );
  // The server compares topics without case, so another spelling ends the policy.
  await owner.ok('POST', '/user_topics', { stream_id: id, topic: 'PLANS', visibility_policy: 0 });
  await catchUp(followed);
  assert.equal(topicPolicies.policyOf(id, 'Plans'), 'inherit');
});

test('recent conversations find an older one with one request, and learn what changed unheard', async () => {
  const [ada, old, busy] = [
    await server.user(),
    await server.user({ name: 'Old' }),
    await server.user({ name: 'Busy' }),
  ];
  await old.direct([ada.userId], 'long ago');
  const ids: number[] = [];
  for (let number = 1; number <= 6; number += 1) ids.push(await busy.direct([ada.userId], `word ${number}`));
  const credentials = { email: ada.email, apiKey: ada.apiKey };
  const connection = new Connection({ url: server.url, credentials, fetch });
  const fetcher = pageFetcher(connection, { isSpectator: false, untilRetry: async () => undefined });
  let requests = 0;
  let isReachable = true;
  // Pages are small, so that few messages fill several.
  const page: PageFetcher['page'] = async (query) => {
    requests += 1;
    if (!isReachable) throw new Error('no response');
    return fetcher.page({ ...query, before: Math.ceil(query.before / 100) });
  };
  const messages = new Messages(
    ada.userId,
    () => ids.at(-1) ?? 0,
    () => false,
  );
  const recent = new Recent(ada.userId, messages, { page });
  const [ofOld, ofBusy] = [old, busy].map(({ userId }) => directPlace([userId], ada.userId));
  assert(ofOld !== undefined && ofBusy !== undefined);
  const listed = () => recent.list().map(({ place }) => keyOf(place));
  await Promise.all([recent.load(), recent.seek(ofOld), recent.seek(ofBusy)]);
  assert.equal(requests, 2);
  assert.match(recent.of(ofOld)?.last.html ?? '', /long ago/);
  assert.match(recent.of(ofBusy)?.last.html ?? '', /word 6/);
  assert.deepEqual(listed(), [keyOf(ofBusy)], 'the list has no gap');
  await recent.seek(ofOld);
  assert.equal(requests, 2);

  // The client has not heard of the edit. When it registers again, it loads what it knows again.
  const changes = counter(recent.changesOf.of(keyOf(ofOld)).subscribe);
  await busy.ok('PATCH', `/messages/${ids.at(-1)}`, { content: 'another word' });
  recent.expire();
  await recent.load();
  assert.match(recent.of(ofBusy)?.last.html ?? '', /another word/);
  assert.equal(recent.of(ofOld), undefined);

  // A failure is not repeated.
  const before = requests;
  isReachable = false;
  await recent.seek(ofOld);
  assert.equal(requests, before + 1);
  isReachable = true;
  await recent.seek(ofOld);
  assert.match(recent.of(ofOld)?.last.html ?? '', /long ago/);

  // A reader of one conversation hears nothing of another.
  await Promise.resolve();
  const heard = changes();
  assert(heard > 0);
  recent.apply({ id: 1, type: 'delete_message', message_type: 'private', message_ids: ids.slice(-1) });
  await Promise.resolve();
  assert.match(recent.of(ofBusy)?.last.html ?? '', /word 5/);
  assert.equal(changes(), heard);
});
