import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { directoryParts } from '../../../all-features.ts';
import { loadDirectory } from '../../../directory/load.ts';
import type { Organization } from '../../../directory/organization.ts';
import { Role, SystemGroup } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { dumpDirectory } from '../../../testing/database/directory-dump.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { changeRole } from '../../accounts/accounts/actions.ts';
import { fullMemberJobs } from './jobs.ts';

let server: TestServer;
let root: Organization;
let owner: TestClient;
/** Joined just now. */
let young: TestClient;
/** Joined ten days ago. */
let old: TestClient;
let fullMembers: number;

before(async () => {
  server = await startTestServer();
  owner = server.owner;
  const found = await server.app.organizations.bySubdomain('');
  assert(found !== undefined);
  root = found;
  young = await server.user();
  old = await server.user();
  await age(old, 10);
  fullMembers = root.directory.groups.idOf(SystemGroup.fullMembers);
});
beforeEach(() => wait(0));
after(() => server.stop());

const wait = (days: number) => owner.ok('PATCH', '/realm', { waiting_period_threshold: days });

/** Makes the account older by this number of days. */
async function age({ userId }: TestClient, days: number): Promise<void> {
  await root.transact('server', 'exclusive', async ({ db, directory, append }) => {
    const user = directory.user(userId);
    assert(user !== undefined);
    const joinedAt = user.joinedAt - days * 86_400;
    await db
      .updateTable('users')
      .set({ date_joined: new Date(joinedAt * 1000) })
      .where('id', '=', userId)
      .execute();
    append({
      type: 'realm_user',
      audience: { to: 'nobody' },
      body: null,
      deltas: [{ delta: 'user', user: { ...user, joinedAt } }],
    });
  });
}

/** Runs the job, which runs every minute. */
async function clock(): Promise<void> {
  const [job] = fullMemberJobs(server.app);
  const { log, db: app } = server.app;
  const { signal } = new AbortController();
  const attempt = { id: 0, organizationId: null, payload: {}, attempt: 1, signal, log, afterCommit: () => {} };
  await app.transaction().execute(async (db) => job?.run({ ...attempt, db }));
}

async function members(): Promise<number[]> {
  const query = { direct_member_only: true };
  return (await owner.ok('GET', `/user_groups/${fullMembers}/members`, query)).members;
}

async function groupEvents(client: TestClient, act: () => Promise<unknown>): Promise<Json[]> {
  const queue = await client.register({ event_types: ['user_group'] });
  await act();
  return (await queue.now()).map(({ op, group_id, user_ids }) => [op, group_id, user_ids]);
}

test('without a waiting period all members are full members', async () => {
  assert.deepEqual(await members(), [young.userId, old.userId]);
});

// rules: organization-settings-14
test('a waiting period removes newer members from the full members, and all users are notified', async () => {
  assert.deepEqual(await groupEvents(young, () => wait(3)), [['remove_members', fullMembers, [young.userId]]]);
  assert.deepEqual(await members(), [old.userId]);
  assert.deepEqual(await groupEvents(young, () => wait(30)), [['remove_members', fullMembers, [old.userId]]]);
  const both = [young.userId, old.userId];
  assert.deepEqual(await groupEvents(young, () => wait(0)), [['add_members', fullMembers, both]]);
  assert.deepEqual(await members(), both);
});

test('the longest waiting period leaves no full members', async () => {
  await wait(2_147_483_647);
  assert.deepEqual(await members(), []);
});

// rules: organization-settings-14
test('a permission of full members excludes newer members', async () => {
  const give = (group: SystemGroup) =>
    owner.ok('PATCH', '/realm', { can_create_public_channel_group: { new: root.directory.groups.idOf(group) } });
  const create = (name: string) => ({ subscriptions: [{ name }] });
  await wait(3);
  await give(SystemGroup.fullMembers);
  const { msg } = await young.fails('POST', '/users/me/subscriptions', create('too soon'));
  assert.equal(msg, 'Insufficient permission');
  await old.ok('POST', '/users/me/subscriptions', create('in time'));
  await owner.ok('POST', '/users/me/subscriptions', create('by the owner'));
  await give(SystemGroup.members);
  await young.ok('POST', '/users/me/subscriptions', create('by any member'));
});

// rules: organization-settings-14
test('the job promotes members whose waiting period has ended, and notifies all users', async (t) => {
  await wait(3);
  assert.deepEqual(await groupEvents(old, clock), [], 'no member has waited long enough');
  const waiting = await server.user();
  await wait(0);
  // The setting is changed as if five days ago.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 5 * 86_400_000 });
  await wait(3);
  t.mock.timers.reset();
  assert.deepEqual(await members(), [old.userId]);
  await age(waiting, 4);
  assert.deepEqual(await members(), [old.userId], 'the job has not run yet');
  assert.deepEqual(await groupEvents(young, clock), [['add_members', fullMembers, [waiting.userId]]]);
  assert.deepEqual(await members(), [old.userId, waiting.userId]);
  assert.deepEqual(await groupEvents(young, clock), [], 'a second run sends nothing');
});

test('a new account, and one that becomes a member, starts by its age', async () => {
  await wait(3);
  const queue = await owner.register({ event_types: ['user_group'] });
  const { directory } = root;
  const membersGroup = directory.groups.idOf(SystemGroup.members);
  const newcomer = await server.user();
  const received = async () => (await queue.now()).map(({ op, group_id }: Json) => [op, group_id]);
  assert.deepEqual(await received(), [['add_members', membersGroup]]);
  await changeRole(root, newcomer.userId, Role.moderator);
  assert(directory.groups.includes(fullMembers, directory.user(newcomer.userId) ?? assert.fail()));
  await received();
  await changeRole(root, newcomer.userId, Role.member);
  assert.deepEqual((await received()).toSorted(), [
    ['add_members', membersGroup],
    ['remove_members', directory.groups.idOf(SystemGroup.moderators)],
  ]);
  assert(!(await members()).includes(newcomer.userId));
});

test('a channel that full members can join is visible only to them, and appears when they become full members', async () => {
  const { id } = await owner.ok('POST', '/channels/create', {
    name: 'for the seasoned',
    subscribers: [owner.userId],
    invite_only: true,
    can_subscribe_group: fullMembers,
  });
  const queue = await young.register({ event_types: ['stream'] });
  const received = async () =>
    (await queue.now()).map((event: Json) => [
      event.op,
      event.stream_ids ?? event.streams.map((one: Json) => one.stream_id),
    ]);
  assert(queue.state.streams === undefined || queue.state.streams.some((one: Json) => one.stream_id === id));
  await wait(3);
  assert.deepEqual(await received(), [['delete', [id]]]);
  assert.equal((await young.fails('GET', `/streams/${id}`)).msg, 'Invalid channel ID');
  await old.ok('GET', `/streams/${id}`);
  await wait(0);
  assert.deepEqual(await received(), [['create', [id]]]);
});

test('a reloaded directory has the same full members', async () => {
  await wait(3);
  await wait(30);
  await clock();
  const loaded = await loadDirectory(server.app.db, root.id, directoryParts);
  assert(loaded !== undefined);
  assert.deepEqual(dumpDirectory(loaded), dumpDirectory(root.directory));
});
