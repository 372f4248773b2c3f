import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Role } from '../../directory/records.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import { putGroup, putUser, smallDirectory } from '../../testing/database/small-directory.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { checkedMembership } from './membership.ts';

let server: TestServer;
let owner: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
});
after(() => server.stop());

let made = 0;
const fields = (subgroups: readonly number[] = []) => ({
  name: `group ${made++}`,
  description: '',
  members: [],
  subgroups,
});
const create = async (subgroups: readonly number[] = []): Promise<number> =>
  (await owner.ok('POST', '/user_groups/create', fields(subgroups))).group_id;

test('groups have at most ten thousand subgroup relations per organization, because membership checks walk through them', async () => {
  const [first = 0, ...others] = await Promise.all(Array.from({ length: 100 }, () => create()));
  const holders = await Promise.all(Array.from({ length: 99 }, () => create([first, ...others])));
  const last = await create();
  const nest = (method: 'ok' | 'fails', lists: object) =>
    owner[method]('POST', `/user_groups/${last}/subgroups`, { ...lists });
  const { msg } = await nest('fails', { add: [first, ...others] });
  assert.equal(msg, 'Too many groups are in other groups (limit of the organization: 10000)');
  assert.equal((await owner.fails('POST', '/user_groups/create', fields([first, ...others]))).msg, msg);
  await owner.ok('POST', `/user_groups/${holders[0]}/subgroups`, { delete: [first, ...others] });
  await nest('ok', { add: [first, ...others] });
});

test('the groups of an account that is no administrator list at most a fifth of the members that all groups can have', () => {
  const directory = smallDirectory();
  const [administrator, member] = [putUser(directory, 1, Role.administrator), putUser(directory, 2, Role.member)];
  const users = Array.from({ length: 100_000 }, (_, index) => index + 10);
  const fill = (first: number, count: number, creatorId: number) => {
    for (let id = first; id < first + count; id += 1) {
      putGroup(directory, id, { creatorId });
      directory.groups.addMembers(id, users);
    }
  };
  const [next, other] = [100, 101];
  putGroup(directory, next, { creatorId: member.id });
  putGroup(directory, other, { creatorId: administrator.id });
  const add = (id: number) => checkedMembership(directory, id, { members: { add: [member.id] } });
  fill(200, 4, member.id);
  assert.throws(() => add(next), /Too many users are in the groups that one user created \(limit: 400000\)/);
  add(other);
  directory.groups.removeMembers(200, [10]);
  add(next);
  directory.groups.addMembers(200, [10]);
  fill(300, 16, administrator.id);
  assert.throws(() => add(other), /Too many users are in groups \(limit of the organization: 2000000\)/);
});

test('the lists of all groups with subgroups fit into what a process keeps, and those of an account into a fifth', () => {
  const directory = smallDirectory();
  const [administrator, member] = [putUser(directory, 1, Role.administrator), putUser(directory, 2, Role.member)];
  const [inner, large] = [100, 101];
  putGroup(directory, inner, { creatorId: member.id });
  putGroup(directory, large, { creatorId: administrator.id });
  const users = (count: number) => Array.from({ length: count }, (_, index) => index + 10);
  const nest = (id: number, inside: number, creatorId: number) => {
    putGroup(directory, id, { creatorId });
    checkedMembership(directory, id, { subgroups: { add: [inside] } });
    directory.groups.addSubgroups(id, [inside]);
  };
  nest(200, inner, member.id);
  directory.groups.addMembers(inner, users(179_997));
  const add = (id: number, ids: readonly number[]) => checkedMembership(directory, id, { members: { add: ids } });
  add(inner, [member.id]);
  const ofOne = /Too many users are in groups that are in other groups \(limit of one user: 180000\)/;
  assert.throws(() => add(inner, [administrator.id, member.id]), ofOne);
  assert.throws(() => nest(201, large, member.id), ofOne);

  directory.groups.addMembers(large, users(90_000));
  for (let id = 300; id < 307; id += 1) nest(id, large, administrator.id);
  const ofAll = /Too many users are in groups that are in other groups \(limit of the organization: 900000\)/;
  assert.throws(() => nest(307, large, administrator.id), ofAll);
  putGroup(directory, 200, { creatorId: member.id, isDeactivated: true });
  nest(308, large, administrator.id);
  add(inner, [administrator.id, member.id]);
});

test('the groups of an account that is no administrator have at most a fifth of the subgroup relations', () => {
  const directory = smallDirectory();
  const member = putUser(directory, 1, Role.member);
  const [first, last] = [1000, 4000];
  const inner = Array.from({ length: 2000 }, (_, index) => first + index);
  for (const id of [...inner, last]) putGroup(directory, id, { creatorId: member.id });
  const nest = (ids: readonly number[]) => checkedMembership(directory, last, { subgroups: { add: ids } });
  nest(inner);
  directory.groups.addSubgroups(first, [first + 1]);
  assert.throws(() => nest(inner), /Too many groups are in the groups that one user created \(limit: 2000\)/);
});

test('an account that is no administrator has created at most a fifth of the groups that an organization can have', async () => {
  const member = await server.user();
  await sql`
    INSERT INTO user_groups (organization_id, name, description, creator_id)
    SELECT users.organization_id, 'own ' || number, '', users.id FROM users, generate_series(1, 2000) AS number
     WHERE users.id = ${member.userId}`.execute(server.app.db);
  const restarted = await startTestServer({ shared: server.shared });
  try {
    const same = await restarted.sameUser(member);
    const { msg } = await same.fails('POST', '/user_groups/create', fields());
    assert.equal(msg, 'Too many user groups of one user (limit: 2000)');
    await restarted.owner.ok('POST', '/user_groups/create', fields());
  } finally {
    await restarted.stop();
  }
});

test('an organization has at most ten thousand groups', async () => {
  await sql`
    INSERT INTO user_groups (organization_id, name, description)
    SELECT organizations.id, 'many ' || number, '' FROM organizations, generate_series(1, 10000) AS number`.execute(
    server.app.db,
  );
  const restarted = await startTestServer({ shared: server.shared });
  try {
    const { msg } = await restarted.owner.fails('POST', '/user_groups/create', fields());
    assert.equal(msg, 'Too many user groups (limit: 10000)');
  } finally {
    await restarted.stop();
  }
});
