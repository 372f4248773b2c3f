import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed } from '@heddle/api/contract.ts';
import * as endpoints from '@heddle/api/endpoints/subscriptions.ts';
import { activeUser } from '../../../directory/active-user.ts';
import type { Organization } from '../../../directory/organization.ts';
import { deltasOf } from '../../../directory/state-deltas.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { deactivateUser } from '../../accounts/accounts/actions.ts';
import { carryOut, type Planned } from './batches.ts';
import { planSubscribing, type Subscribed } from './subscribing.ts';
import { planUnsubscribing, type Unsubscribed } from './unsubscribing.ts';

let server: TestServer;
let organization: Organization;
let owner: TestClient;
let people: readonly TestClient[];
before(async () => {
  server = await startTestServer();
  const home = await server.app.organizations.bySubdomain('');
  assert(home !== undefined);
  organization = home;
  owner = server.owner;
  people = [await server.user(), await server.user(), await server.user(), await server.user(), await server.user()];
});
after(() => server.stop());

const PATH = '/users/me/subscriptions';
/** Makes every subscription a separate batch. */
const LEAST = 1;

let made = 0;
const newName = () => `sliced ${++made}`;
const ids = () => people.map(({ userId }) => userId);

const recordOf = ({ userId }: TestClient) => activeUser(organization.directory, userId);

function joining(
  client: TestClient,
  names: readonly string[],
  more: Partial<Parameters<typeof planSubscribing>[1]['parameters']> = {},
  most = LEAST,
): Planned<Subscribed> {
  const subscriptions = names.map((name) => ({ name, description: `About **${name}**` }));
  const parameters = { ...completed(endpoints.subscribe, { subscriptions }), principals: ids(), ...more };
  const request = { caller: recordOf(client), parameters, organizationUrl: server.url };
  return planSubscribing(organization.directory, request, most);
}

function leaving(client: TestClient, names: readonly string[]): Planned<Unsubscribed> {
  return planUnsubscribing(organization.directory, { caller: recordOf(client), names, principals: ids() }, LEAST);
}

async function done<Answer>(client: TestClient, { steps, answer }: Planned<Answer>): Promise<Answer> {
  await carryOut(organization, recordOf(client), steps);
  return answer();
}

async function subscribersOf(name: string): Promise<number[]> {
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: name });
  return (await owner.ok('GET', `/streams/${stream_id}/members`)).subscribers;
}

async function directMessages(client: TestClient): Promise<string[]> {
  const query = { anchor: 'newest', num_before: 20, num_after: 0, narrow: [{ operator: 'is', operand: 'dm' }] };
  const { messages } = await client.ok('GET', '/messages', { ...query, apply_markdown: false });
  return messages.map((message: Json) => message.content);
}

test('the response covers the whole request, however it is split into batches', async () => {
  const [first = owner, ...others] = people;
  const [there, created] = [newName(), newName()];
  await server.emptyChannel(owner, there, { principals: [first.userId] });
  const joined = joining(owner, [created, there]);
  assert(joined.steps.length > people.length);
  const all = others.map(({ userId }) => [userId, [there, created]] as const);
  assert.deepEqual(await done(owner, joined), {
    subscribed: Object.fromEntries([[first.userId, [created]], ...all]),
    already_subscribed: { [first.userId]: [there] },
    new_subscription_messages_sent: true,
  });
  assert.deepEqual((await subscribersOf(created)).toSorted(), ids().toSorted());
  await first.ok('DELETE', PATH, { subscriptions: [there] });
  const left = await done(owner, leaving(owner, [there, created]));
  assert.deepEqual(left, { removed: [...others.map(() => there), ...people.map(() => created)], not_removed: [there] });
  assert.deepEqual(await subscribersOf(created), []);
});

test('a chosen color applies to the users of all batches, also if the channel is renamed between batches', async () => {
  const [there, created] = [newName(), newName()];
  const id = await server.emptyChannel(owner, there);
  const color = '#0a0b0c';
  const subscriptions = [
    { name: there, color },
    { name: created, color },
  ];
  const { steps } = joining(owner, [], { subscriptions });
  await carryOut(organization, recordOf(owner), steps.slice(0, 2));
  await owner.ok('PATCH', `/streams/${id}`, { new_name: newName() });
  await carryOut(organization, recordOf(owner), steps.slice(2));
  for (const client of people) {
    const { subscriptions: own } = await client.ok('GET', PATH);
    const chosen = own.filter((one: Json) => one.color === color).map(({ stream_id }: Json) => stream_id);
    assert.equal(chosen.length, 2);
    assert(chosen.includes(id));
  }
});

test('a user subscribed in several batches receives one notice, without the new channels', async () => {
  const [joiner] = people;
  assert(joiner !== undefined);
  const [a, b, created] = [newName(), newName(), newName()];
  for (const name of [a, b]) await server.emptyChannel(owner, name);
  const before = await directMessages(joiner);
  await done(owner, joining(owner, [a, created, b]));
  const notices = (await directMessages(joiner)).slice(before.length);
  assert.deepEqual(notices, [
    `@_**Olive Owner|${owner.userId}** subscribed you to the following channels:\n\n* #**${a}**\n* #**${b}**`,
  ]);
});

test('a channel created in batches has one first message, in the commit that creates it', async () => {
  const name = newName();
  const { steps } = joining(owner, [name]);
  await carryOut(organization, recordOf(owner), steps.slice(0, 1));
  const narrow = [{ operator: 'channel', operand: name }];
  const query = { anchor: 'newest', num_before: 20, num_after: 0, narrow };
  const messages = async () => (await owner.ok('GET', '/messages', query)).messages as Json[];
  const [first] = await messages();
  assert.match(first?.content, new RegExp(`About <strong>${name}</strong>`));
  await carryOut(organization, recordOf(owner), steps.slice(1));
  assert.equal((await messages()).length, 1);
});

test('a private channel that its creator makes only for others receives all its subscribers', async () => {
  const [maker] = people;
  assert(maker !== undefined);
  const name = newName();
  const principals = ids().filter((id) => id !== maker.userId);
  const { subscribed } = await done(maker, joining(maker, [name], { principals, invite_only: true }));
  assert.equal(Object.keys(subscribed).length, principals.length);
});

test('a refused request is refused before its first batch', async () => {
  const [member] = people;
  assert(member !== undefined);
  const [open, hidden] = [newName(), newName()];
  await server.emptyChannel(owner, hidden, { invite_only: true });
  const head = organization.position;
  assert.throws(() => joining(member, [open, hidden]), { message: `Unable to access channel (${hidden}).` });
  assert.throws(() => joining(owner, [open], { principals: [...ids(), 987654] }), { message: 'No such user' });
  assert.throws(() => joining(owner, [open], { is_default_stream: true, invite_only: true }));
  assert.throws(() => joining(owner, [open, 'x'.repeat(100)]), /too long/);
  assert.throws(() => leaving(owner, [hidden, open]), { message: `Channel(s) (${open}) do not exist` });
  assert.equal(organization.position, head);
});

test('if the caller is deactivated between batches the rest is refused, and completed batches stay', async () => {
  const caller = await server.user();
  const name = newName();
  const queue = await owner.register({ event_types: ['subscription'] });
  const record = recordOf(caller);
  const { steps } = joining(caller, [name]);
  await carryOut(organization, record, steps.slice(0, 2));
  await deactivateUser(server.app, organization, caller.userId);
  const head = organization.position;
  await assert.rejects(carryOut(organization, record, steps.slice(2)), { code: 'USER_DEACTIVATED' });
  assert.equal(organization.position, head);
  assert.deepEqual(await subscribersOf(name), ids().slice(0, 2));
  const added = (await queue.now()).filter((event: Json) => event.op === 'peer_add');
  assert.deepEqual(
    added.flatMap((event: Json) => event.user_ids),
    ids().slice(0, 2),
  );
});

test('if a requested user is deactivated between batches, the request fails at that user’s batch', async () => {
  const gone = await server.user();
  const name = newName();
  const { steps } = joining(owner, [name], { principals: [...ids(), gone.userId] });
  await carryOut(organization, recordOf(owner), steps.slice(0, 1));
  await deactivateUser(server.app, organization, gone.userId);
  await assert.rejects(carryOut(organization, recordOf(owner), steps.slice(1)), { message: 'User is deactivated' });
  assert.deepEqual((await subscribersOf(name)).toSorted(), ids().toSorted());
});

test('a channel that another user creates between batches is joined', async () => {
  const [one, other] = [newName(), newName()];
  const { steps, answer } = joining(owner, [one, other]);
  await carryOut(organization, recordOf(owner), steps.slice(0, 1));
  await server.emptyChannel(owner, other);
  await carryOut(organization, recordOf(owner), steps.slice(1));
  assert.deepEqual(answer().subscribed[people[1]?.userId ?? 0], [one, other]);
  assert.deepEqual((await subscribersOf(other)).toSorted(), [owner.userId, ...ids()].toSorted());
});

test('other changes of the organization can commit between two batches', async () => {
  const { steps } = joining(owner, [newName()]);
  const joined: number[] = [];
  let between: Promise<number> | undefined;
  organization.onEvent((event) => {
    if (!deltasOf(event).some(({ delta }) => delta === 'subscribed')) return;
    joined.push(event.id);
    between ??= organization.transact('server', 'exclusive', async ({ append }) =>
      append({ type: 'realm', audience: { to: 'nobody' }, body: 'between' }),
    );
  });
  await carryOut(organization, recordOf(owner), steps);
  const changed = (await between) ?? 0;
  assert.equal(joined.length, people.length);
  assert((joined[0] ?? 0) < changed && changed < (joined.at(-1) ?? 0));
});

test('a channel renamed to the name of another requested channel between batches is joined once', async () => {
  const [there, fresh] = [newName(), newName()];
  const id = await server.emptyChannel(owner, there);
  const { steps, answer } = joining(owner, [there, fresh], {}, 1000);
  await owner.ok('PATCH', `/streams/${id}`, { new_name: fresh });
  await carryOut(organization, recordOf(owner), steps);
  assert.deepEqual((await subscribersOf(fresh)).toSorted(), [owner.userId, ...ids()].toSorted());
  assert.deepEqual(answer().subscribed[people[1]?.userId ?? 0], [fresh]);
});

test('users times channels are limited, for subscribing and unsubscribing', async () => {
  const userIds: number[] = [];
  for (let n = 0; n < 201; n++) userIds.push((await server.user()).userId);
  const names = Array.from({ length: 500 }, (_, index) => `limit ${index}`);
  const limit = 'Too many subscriptions in one request (limit: 100000 users times channels)';
  const subscriptions = names.map((name) => ({ name }));
  const joined = await owner.fails('POST', PATH, { subscriptions, principals: userIds });
  assert.equal(joined.msg, limit);
  await owner.ok('POST', PATH, { subscriptions });
  const left = await owner.fails('DELETE', PATH, { subscriptions: names, principals: userIds });
  assert.equal(left.msg, limit);
});

test('the database reads of one account’s bulk requests run one after the other, and other accounts do not wait', async () => {
  const [somebody, another] = people;
  assert(somebody !== undefined && another !== undefined);
  const begun = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const asked: number[] = [];
  const subscribing = (client: TestClient) => {
    const enough = async () => {
      throw new Error('enough');
    };
    const read = async () => {
      asked.push(client.userId);
      begun.resolve();
      if (client === owner) await mayGoOn.promise;
      await enough();
    };
    return assert.rejects(carryOut(organization, recordOf(client), [{ read, act: enough }]), /enough/);
  };
  const both = [subscribing(owner), subscribing(owner)];
  await begun.promise;
  await subscribing(somebody);
  await subscribing(another);
  assert.deepEqual(asked, [owner.userId, somebody.userId, another.userId]);
  mayGoOn.resolve();
  await Promise.all(both);
  assert.equal(asked.length, 4);
});
