import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { completed } from '@heddle/api/contract.ts';
import { createChannel } from '@heddle/api/endpoints/channels.ts';
import * as endpoints from '@heddle/api/endpoints/subscriptions.ts';
import { directoryParts } from '../../../all-features.ts';
import { activeUser } from '../../../directory/active-user.ts';
import { loadDirectory } from '../../../directory/load.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { dumpDirectory } from '../../../testing/database/directory-dump.ts';
import { moveMessages } from '../../../testing/server/message-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { deactivateUser } from '../../accounts/accounts/actions.ts';
import { planCreating } from '../channel-management/creating.ts';
import { carryOut, type Planned } from './batches.ts';
import { planSubscribing, type Subscribed } from './subscribing.ts';

let server: TestServer;
let organization: Organization;
let owner: TestClient;
let people: readonly [TestClient, TestClient, TestClient];
before(async () => {
  server = await startTestServer();
  const home = await server.app.organizations.bySubdomain('');
  assert(home !== undefined);
  organization = home;
  owner = server.owner;
  people = [await server.user(), await server.user(), await server.user()];
});
after(() => server.stop());

let made = 0;
const newName = () => `crowded ${++made}`;
const ids = () => people.map(({ userId }) => userId);

const recordOf = ({ userId }: TestClient) => activeUser(organization.directory, userId);

function joining(
  names: readonly string[],
  principals: readonly number[] = ids(),
  more: object = {},
): Planned<Subscribed> {
  const subscriptions = names.map((name) => ({ name }));
  const parameters = { ...completed(endpoints.subscribe, { subscriptions }), principals: [...principals], ...more };
  const request = { caller: recordOf(owner), parameters, organizationUrl: server.url };
  return planSubscribing(organization.directory, request);
}

/** @param meanwhile runs after the checks and reads, before the transaction begins */
async function done<Answer>({ steps, answer }: Planned<Answer>, meanwhile?: () => Promise<unknown>): Promise<Answer> {
  const interrupted = steps.map((step) => ({
    ...step,
    read: async (...parameters: Parameters<NonNullable<typeof step.read>>) => {
      await step.read?.(...parameters);
      await meanwhile?.();
    },
  }));
  await carryOut(organization, recordOf(owner), interrupted);
  return answer();
}

async function subscribersOf(name: string): Promise<number[]> {
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: name });
  return (await owner.ok('GET', `/streams/${stream_id}/members`)).subscribers.toSorted();
}

const sorted = (...clients: readonly TestClient[]) => clients.map(({ userId }) => userId).toSorted();

async function agree(): Promise<void> {
  const loaded = await loadDirectory(server.app.db, organization.id, directoryParts, organization.directory.server);
  assert(loaded !== undefined);
  assert.deepEqual(dumpDirectory(organization.directory), dumpDirectory(loaded));
}

test('one commit subscribes many users to existing and new channels, with separate events for users and peers', async () => {
  const [first, second, third] = people;
  const [there, fresh] = [newName(), newName()];
  await server.emptyChannel(owner, there, { principals: ids() });
  // One user has a row of an earlier subscription with changed settings, and one is subscribed.
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: there });
  const settings = [{ stream_id, property: 'color', value: '#0a0b0c' }];
  await first.ok('POST', '/users/me/subscriptions/properties', { subscription_data: settings });
  for (const client of [first, third]) {
    await client.ok('DELETE', '/users/me/subscriptions', { subscriptions: [there] });
  }
  const queues = [
    await owner.register({ event_types: ['subscription'] }),
    await first.register({ event_types: ['subscription'] }),
  ];
  const head = organization.position;
  const { subscribed, already_subscribed } = await done(joining([there, fresh]));
  assert.deepEqual(subscribed, {
    [first.userId]: [there, fresh],
    [second.userId]: [fresh],
    [third.userId]: [there, fresh],
  });
  assert.deepEqual(already_subscribed, { [second.userId]: [there] });
  const [others = [], own = []] = await Promise.all(queues.map(async (queue) => (await queue.now()) as Json[]));
  assert.deepEqual(
    others.map(({ op, user_ids }) => [op, user_ids]),
    [
      ['peer_add', sorted(first, third)],
      ['peer_add', sorted(...people)],
    ],
  );
  assert.deepEqual(
    own.flatMap(({ op, subscriptions }) => subscriptions.map((one: Json) => [op, one.name, one.color === '#0a0b0c'])),
    [
      ['add', there, true],
      ['add', fresh, false],
    ],
  );
  assert(organization.position > head);
  await agree();
});

test('one commit creates a channel with many subscribers', async () => {
  const name = newName();
  const parameters = { ...completed(createChannel, { name, subscribers: ids() }), announce: false };
  const queue = await owner.register({ event_types: ['stream', 'subscription'] });
  const request = { creator: recordOf(owner), parameters, organizationUrl: server.url };
  const { id } = await done(planCreating(organization.directory, request));
  assert.equal(organization.directory.channelByName(name)?.id, id);
  assert.deepEqual(
    (await queue.now()).map(({ type, op }: Json) => `${type} ${op}`),
    ['stream create', 'subscription peer_add', 'stream update'],
  );
  await agree();
});

test('other users send and subscribe, to this and other channels, before a bulk subscribe commits', async () => {
  const [first, second, third] = people;
  const [there, other] = [newName(), newName()];
  await server.emptyChannel(owner, there);
  await server.emptyChannel(owner, other);
  const { subscribed, already_subscribed } = await done(joining([there]), async () => {
    await first.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: there }] });
    await owner.send(there, 'a', 'meanwhile');
    await second.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: other }] });
  });
  assert.deepEqual(Object.keys(subscribed).map(Number).toSorted(), sorted(second, third));
  assert.deepEqual(already_subscribed, { [first.userId]: [there] });
  assert.deepEqual(await subscribersOf(there), sorted(owner, ...people));
  // Messages sent before the bulk subscribe are not received.
  const { messages } = await third.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: there }],
  });
  assert.deepEqual(messages[0].flags, ['read', 'historical']);
  await agree();
});

test('two bulk subscribes to the same channel run one after the other', async () => {
  const [first, second, third] = people;
  const name = newName();
  await server.emptyChannel(owner, name);
  const answers = await Promise.all([
    done(joining([name], [first.userId, second.userId])),
    done(joining([name], [second.userId, third.userId])),
  ]);
  assert.deepEqual(await subscribersOf(name), sorted(owner, ...people));
  assert.equal(answers.flatMap(({ subscribed }) => Object.keys(subscribed)).length, people.length);
  await agree();
});

test('a channel created concurrently with the requested name is joined by the bulk subscribe', async () => {
  const name = newName();
  const { subscribed } = await done(joining([name]), () => server.emptyChannel(owner, name));
  assert.equal(Object.keys(subscribed).length, people.length);
  assert.deepEqual(await subscribersOf(name), sorted(owner, ...people));
  await agree();
});

test('a user who unsubscribes before the bulk subscribe commits is subscribed again', async () => {
  const extra = await server.user();
  const name = newName();
  await server.emptyChannel(owner, name, { principals: [extra.userId] });
  const users = [...people, extra];
  const leave = () => extra.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  await done(
    joining(
      [name],
      users.map(({ userId }) => userId),
    ),
    leave,
  );
  assert.deepEqual(await subscribersOf(name), sorted(owner, ...users));
  await agree();
});

test('channels have ascending ids in order of creation, also if one is created before a bulk subscribe', async () => {
  const [name, other] = [newName(), newName()];
  await done(joining([name]), () => server.emptyChannel(owner, other));
  const [later, earlier] = [name, other].map((one) => organization.directory.channelByName(one)?.id ?? 0);
  assert((later ?? 0) > (earlier ?? 0));
  await agree();
});

test('a bulk subscribe with a user who is deactivated concurrently fails and changes nothing', async () => {
  const gone = await server.user();
  const name = newName();
  await server.emptyChannel(owner, name);
  const refused = done(joining([name], [...ids(), gone.userId]), () =>
    deactivateUser(server.app, organization, gone.userId),
  );
  await assert.rejects(refused, { message: 'User is deactivated' });
  assert.deepEqual(await subscribersOf(name), sorted(owner));
  await agree();
});

test('a bulk subscribe marks messages moved to the channel earlier as read, also those marked unread', async () => {
  const [reader] = people;
  const [home, elsewhere] = [newName(), newName()];
  await server.emptyChannel(owner, home, { principals: [reader.userId] });
  const to = await server.emptyChannel(owner, elsewhere);
  const message = await owner.send(home, 'a', 'moved');
  for (const op of ['add', 'remove'])
    await reader.ok('POST', '/messages/flags', { messages: [message], op, flag: 'read' });
  await moveMessages(server, [message], to, 'moved');
  await done(joining([elsewhere]));
  assert((await reader.ok('GET', `/messages/${message}`)).message.flags.includes('read'));
});

// rules: channels-21
test('a member creates 1000 channels a day at most, and an administrator more', async () => {
  const member = await server.user();
  const subscribe = (client: TestClient, count: number) =>
    client.call('POST', '/users/me/subscriptions', {
      subscriptions: Array.from({ length: count }, () => ({ name: newName() })),
    });
  for (const _ of [1, 2]) assert.equal((await subscribe(member, 500)).status, 200);
  const { status, body } = await subscribe(member, 1);
  assert.deepEqual([status, body.msg], [400, 'You can create at most 1000 channels a day.']);
  assert.equal((await member.fails('POST', '/channels/create', { name: newName(), subscribers: [] })).msg, body.msg);
  const { user_id: botId } = await member.ok('POST', '/bots', { full_name: 'Loom', short_name: 'loom' });
  const { email = '' } = organization.directory.user(botId) ?? {};
  const bot = await server.sameUser({ email } as TestClient);
  assert.equal((await subscribe(bot, 1)).body.msg, body.msg);
  await owner.ok('PATCH', `/users/${member.userId}`, { role: 200 });
  assert.equal((await subscribe(member, 1)).status, 200);
});
