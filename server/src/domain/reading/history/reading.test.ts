import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { archiveChannel } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

const subscribe = (channel: string, ...clients: readonly TestClient[]) =>
  owner.subscribe(channel, { principals: clients.map((client) => client.userId) });
const leave = (channel: string, client: TestClient) =>
  client.ok('DELETE', '/users/me/subscriptions', { subscriptions: [channel] });

/**
 * Returns the indexes of the messages that the client can read. Compares fetching by id, by several ids, with a flag,
 * and by the channel's narrow, which must all agree.
 */
async function readable(client: TestClient, ids: readonly number[], channel?: string): Promise<number[]> {
  const one = await Promise.all(ids.map(async (id) => (await client.call('GET', `/messages/${id}`)).status === 200));
  const places = ids.flatMap((_, place) => (one[place] ? [place] : []));
  const listed = async (query: Fields) => {
    const { messages } = await client.ok('GET', '/messages', query);
    return messages.map((message: Json) => ids.indexOf(message.id)).filter((place: number) => place >= 0);
  };
  assert.deepEqual(await listed({ message_ids: ids }), places);
  const read = places.flatMap((place) => ids[place] ?? []);
  for (const id of ids) {
    const { status } = await client.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    assert.equal(status, read.includes(id) ? 200 : 400);
  }
  const range = { anchor: 'oldest', num_before: 0, num_after: 5000 };
  assert.deepEqual(await listed({ ...range, narrow: [['is', 'starred']] }), places);
  await client.ok('POST', '/messages/flags', { messages: read, op: 'remove', flag: 'starred' });
  if (channel !== undefined) {
    const answer = await client.call('GET', '/messages', { ...range, narrow: [['channel', channel]] });
    if (answer.status === 200) assert.deepEqual(await listed({ ...range, narrow: [['channel', channel]] }), places);
    else assert.deepEqual([answer.body.code, places], ['BAD_NARROW', []]);
  }
  return places;
}

// rules: fetch-4
test('members can read the whole history of a public channel, subscribed or not', async () => {
  await owner.subscribe('public');
  const ids = [await owner.send('public', 'a', 'zero'), await owner.send('public', 'a', 'one')];
  assert.deepEqual(await readable(member, ids, 'public'), [0, 1]);
  await subscribe('public', member);
  ids.push(await owner.send('public', 'a', 'two'));
  assert.deepEqual(await readable(member, ids, 'public'), [0, 1, 2]);
  await leave('public', member);
  assert.deepEqual(await readable(member, ids, 'public'), [0, 1, 2]);
});

// rules: fetch-4
test('a guest can read a public channel only while subscribed, and then all of it', async () => {
  await owner.subscribe('lobby');
  const ids = [await owner.send('lobby', 'a', 'zero')];
  assert.deepEqual(await readable(guest, ids, 'lobby'), []);
  await subscribe('lobby', guest);
  ids.push(await owner.send('lobby', 'a', 'one'));
  assert.deepEqual(await readable(guest, ids, 'lobby'), [0, 1]);
  await leave('lobby', guest);
  assert.deepEqual(await readable(guest, ids, 'lobby'), []);
});

// rules: fetch-4, subscriptions-10
test('with shared history, only subscribers can read a private channel, and all of it', async () => {
  await owner.subscribe('team', { invite_only: true, history_public_to_subscribers: true });
  const ids = [await owner.send('team', 'a', 'zero')];
  for (const client of [member, guest]) {
    assert.deepEqual(await readable(client, ids, 'team'), []);
    await subscribe('team', client);
    assert.deepEqual(await readable(client, ids, 'team'), [0]);
    await leave('team', client);
    assert.deepEqual(await readable(client, ids, 'team'), []);
  }
});

// rules: fetch-4, subscriptions-10
test('with protected history, subscribers read only messages sent during one of their subscriptions', async () => {
  await owner.subscribe('vault', { invite_only: true, history_public_to_subscribers: false });
  for (const client of [member, guest]) {
    const ids: number[] = [];
    const say = async () => ids.push(await owner.send('vault', 'a', `message ${ids.length}`));
    await say();
    await subscribe('vault', client);
    await say();
    assert.deepEqual(await readable(client, ids, 'vault'), [1]);
    await leave('vault', client);
    assert.deepEqual(await readable(client, ids, 'vault'), []);
    await say();
    await subscribe('vault', client);
    await say();
    await leave('vault', client);
    await say();
    await subscribe('vault', client);
    await say();
    assert.deepEqual(await readable(client, ids, 'vault'), [1, 3, 5]);
    await leave('vault', client);
  }
});

// rules: fetch-4
test('an administrator cannot read a private channel', async () => {
  const administrator = await server.user({ role: Role.administrator });
  await member.subscribe('members', { invite_only: true });
  const ids = [await member.send('members', 'a', 'zero')];
  assert.deepEqual(await readable(administrator, ids, 'members'), []);
  assert.deepEqual(await readable(owner, ids, 'members'), []);
});

// rules: fetch-4
test('an archived channel stays readable', async () => {
  await owner.subscribe('old');
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'old' });
  const ids = [await owner.send('old', 'a', 'zero')];
  await archiveChannel(server, stream_id);
  assert.deepEqual(await readable(member, ids, 'old'), [0]);
});

// rules: fetch-4
test('only participants can read direct messages, also among owners', async () => {
  const other = await server.user();
  const ids = [await member.direct([other.userId], 'zero'), await member.direct([member.userId], 'one')];
  assert.deepEqual(await readable(member, ids), [0, 1]);
  assert.deepEqual(await readable(other, ids), [0]);
  assert.deepEqual(await readable(owner, ids), []);
});

test('messages of another organization are not found by id, list, narrow or flag', async () => {
  const foreigner = await server.organization('abroad');
  await foreigner.subscribe('foreign');
  const { stream_id: foreign } = await foreigner.ok('GET', '/get_stream_id', { stream: 'foreign' });
  // Ids are per organization: send there until the ids exceed all ids of this organization.
  const theirs: number[] = [];
  const { max_message_id } = (await owner.register({ fetch_event_types: ['message'] })).state;
  for (let count = 0; count <= max_message_id + 1; count++) theirs.push(await foreigner.send('foreign', 'a', 'theirs'));
  const last = theirs.at(-1) ?? 0;
  assert.deepEqual(await readable(owner, [last]), []);
  const range = { anchor: 'newest', num_before: 5, num_after: 0 };
  for (const operand of [foreign, 'foreign']) {
    const narrow = [{ operator: 'channel', operand }];
    assert.equal((await owner.fails('GET', '/messages', { ...range, narrow })).code, 'BAD_NARROW');
  }
  for (const operator of ['sender', 'dm', 'dm-including']) {
    const narrow = [{ operator, operand: [foreigner.userId] }];
    assert.equal((await owner.fails('GET', '/messages', { ...range, narrow })).code, 'BAD_NARROW');
  }
  const feed = await owner.ok('GET', '/messages', { ...range, num_before: 5000 });
  assert(feed.messages.every((message: Json) => message.sender_id !== foreigner.userId));
});

test('flags do not leak to a message with the same id in another organization', async () => {
  const foreigner = await server.organization('parallel');
  await foreigner.subscribe('foreign');
  const theirs = await foreigner.send('foreign', 'a', 'theirs');
  await foreigner.ok('POST', '/messages/flags', { messages: [theirs], op: 'add', flag: 'starred' });
  const { message } = await owner.ok('GET', `/messages/${theirs}`);
  assert.notEqual(message.sender_id, foreigner.userId);
  assert(!message.flags.includes('starred'));
});
