import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient, TestQueue } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
/** `host` creates the channels, and so administers them. */
let host: TestClient;
let member: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  host = await server.user();
  member = await server.user();
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

let made = 0;

async function channel(fields: Fields = {}): Promise<{ id: number; name: string }> {
  const name = `archiving ${++made}`;
  return { name, id: await server.emptyChannel(host, name, fields) };
}

const archive = (client: TestClient, id: number) => client.ok('DELETE', `/streams/${id}`);
const unarchive = (client: TestClient, id: number) => client.ok('PATCH', `/streams/${id}`, { is_archived: false });

const TYPES = ['stream', 'subscription', 'default_streams', 'realm'];

/** Registers one client with the capability archived_channels and one without it. */
async function both(client: TestClient): Promise<{ knowing: TestQueue; older: TestQueue }> {
  const register = (archived_channels: boolean) =>
    client.register({ event_types: TYPES, client_capabilities: { archived_channels } });
  return { knowing: await register(true), older: await register(false) };
}

async function received(queue: TestQueue): Promise<string[]> {
  const events: Json[] = await queue.now();
  return events
    .filter(({ property }) => property !== 'first_message_id')
    .map(({ type, op, property = '', value = '' }) => `${type} ${op} ${property} ${value}`.trim());
}

// rules: channels-18, channels-20, register-17
test('clients with archived_channels keep an archived channel, and other clients receive its deletion', async () => {
  const { id, name } = await channel();
  const queues = await both(member);
  await archive(host, id);
  assert.deepEqual(await received(queues.knowing), ['stream update is_archived true']);
  assert.deepEqual(await received(queues.older), ['stream delete']);
  const { streams } = await member.ok('GET', '/streams');
  assert(!streams.some((one: Json) => one.stream_id === id));
  const all = (await member.ok('GET', '/streams', { exclude_archived: false })).streams;
  assert.equal(all.find((one: Json) => one.stream_id === id).is_archived, true);
  await host.fails('POST', '/messages', { type: 'channel', to: name, topic: 'topic', content: 'still here' });
});

test('the notification bot posts in the channel when it is archived and unarchived', async () => {
  const { id, name } = await channel();
  await archive(host, id);
  await unarchive(host, id);
  const narrow = [{ operator: 'channel', operand: id }];
  const query = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await host.ok('GET', '/messages', query);
  assert.deepEqual(
    messages.map(({ subject, content }: Json) => [subject, content]),
    [
      ['channel events', `Channel #**${name}** has been archived.`],
      ['channel events', `Channel #**${name}** has been unarchived.`],
    ],
  );
});

// rules: channels-20
test('subscriptions survive archiving, can be changed meanwhile, and older clients receive them again on unarchiving', async () => {
  const { id, name } = await channel({ principals: [member.userId, guest.userId] });
  const settings = [{ stream_id: id, property: 'color', value: '#abcdef' }];
  await member.ok('POST', '/users/me/subscriptions/properties', { subscription_data: settings });
  const members = await both(member);
  const guests = await both(guest);
  await archive(host, id);
  await host.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [guest.userId] });
  await unarchive(host, id);
  assert.deepEqual(await received(members.knowing), [
    'stream update is_archived true',
    'subscription peer_remove',
    'stream update is_archived false',
  ]);
  const older: Json[] = await members.older.now();
  assert.deepEqual(
    older.map(({ type, op }) => `${type} ${op}`),
    ['stream delete', 'stream create', 'subscription peer_add', 'subscription add'],
  );
  const own = older.find(({ type, op }) => type === 'subscription' && op === 'add').subscriptions[0];
  assert.deepEqual([own.stream_id, own.color, own.is_archived, own.subscriber_count], [id, '#abcdef', false, 2]);
  assert.deepEqual(
    await received(guests.older),
    ['stream delete'],
    'a former subscriber does not receive the channel again',
  );
});

test('archiving removes a channel from the default channels and from organization settings', async () => {
  const { id } = await channel();
  await owner.ok('PATCH', `/streams/${id}`, { is_default_stream: true });
  await owner.ok('PATCH', '/realm', { new_stream_announcements_stream_id: id });
  const { knowing } = await both(member);
  await archive(host, id);
  const events: Json[] = (await knowing.now()).filter(({ property }) => property !== 'first_message_id');
  assert.deepEqual(
    events.map(({ type, op = '' }) => `${type} ${op}`.trim()),
    ['realm update_dict', 'default_streams', 'stream update'],
  );
  assert.deepEqual(events[0].data, { new_stream_announcements_stream_id: -1 });
  assert(!events[1].default_streams.includes(id));
  const { state } = await member.register();
  assert.equal(state.realm_new_stream_announcements_stream_id, -1);
  assert(!state.realm_default_streams.includes(id));
  await unarchive(host, id);
  assert(
    !(await member.register()).state.realm_default_streams.includes(id),
    'unarchiving does not restore the default channel',
  );
});

test('an archived channel cannot become a default channel', async () => {
  const { id } = await channel();
  await archive(host, id);
  const msg = 'A default channel cannot be archived.';
  assert.equal((await owner.fails('PATCH', `/streams/${id}`, { is_default_stream: true })).msg, msg);
  for (const method of ['POST', 'DELETE']) {
    assert.equal((await owner.fails(method, '/default_streams', { stream_id: id })).msg, 'Invalid channel ID');
  }
});

// rules: channels-19
test('only channel administrators archive and unarchive a channel, and only once', async () => {
  const { id } = await channel();
  assert.equal((await member.fails('DELETE', `/streams/${id}`)).code, 'CANNOT_ADMINISTER_CHANNEL');
  assert.equal((await guest.fails('DELETE', `/streams/${id}`)).msg, 'Invalid channel ID');
  const open = { is_archived: false };
  assert.equal((await host.fails('PATCH', `/streams/${id}`, open)).msg, 'Channel is not currently deactivated');
  await archive(host, id);
  assert.equal((await host.fails('DELETE', `/streams/${id}`)).msg, 'Channel is already deactivated');
  assert.equal((await member.fails('PATCH', `/streams/${id}`, open)).code, 'CANNOT_ADMINISTER_CHANNEL');
});

test('is_archived=true archives too, after the other changes of the request', async () => {
  const { id } = await channel();
  await host.ok('PATCH', `/streams/${id}`, { is_archived: true, description: 'gone' });
  const { stream } = await host.ok('GET', `/streams/${id}`);
  assert.deepEqual([stream.is_archived, stream.description], [true, 'gone']);
});

test('clients with archived_channels receive changes of an archived channel, other clients do not', async () => {
  const { id } = await channel();
  await archive(host, id);
  const { knowing, older } = await both(member);
  await host.ok('PATCH', `/streams/${id}`, { description: 'of old', is_private: false });
  assert.deepEqual(await received(knowing), ['stream update description of old']);
  assert.deepEqual(await received(older), []);
  await host.ok('PATCH', `/streams/${id}`, { is_private: true });
  assert.deepEqual(await received(knowing), ['stream delete']);
  assert.deepEqual(await received(older), []);
});

test('a private channel without subscribers cannot be unarchived', async () => {
  const { id, name } = await channel({ invite_only: true });
  await archive(host, id);
  await host.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  const { msg } = await owner.fails('PATCH', `/streams/${id}`, { is_archived: false });
  assert.equal(msg, 'Channel is private and have no subscribers');
});

const OF_MESSAGES = ['message', 'delete_message', 'user_topic', 'muted_topics', 'update_message_flags'];

// rules: register-17
test('an older client receives no events of an archived channel, also if it reads them late', async () => {
  const { id } = await channel({ principals: [member.userId] });
  const sent = await host.send(id, 'topic', 'before');
  const muting = { stream_id: id, topic: 'topic', visibility_policy: 1 };
  await member.ok('POST', '/user_topics', muting);
  const register = (archived_channels: boolean, event_types = [...OF_MESSAGES, 'stream']) =>
    member.register({ event_types, client_capabilities: { archived_channels, bulk_message_deletion: true } });
  const queues = [await register(true), await register(false), await register(false)];
  const muted = await register(false, ['muted_topics']);
  await archive(host, id);
  await member.ok('POST', '/messages/flags', { messages: [sent], op: 'add', flag: 'read' });
  await member.ok('POST', '/messages/flags', { messages: [sent], op: 'remove', flag: 'read' });
  const [knowing, older] = await Promise.all(queues.slice(0, 2).map((queue) => queue.now()));
  assert(older !== undefined && knowing !== undefined);
  assert(knowing.some(({ type }) => type === 'message'));
  assert.deepEqual(
    older.map(({ type, op }) => [type, op]),
    [
      ['stream', 'delete'],
      ['update_message_flags', 'add'],
    ],
  );
  await owner.ok('POST', `/streams/${id}/delete_topic`, { topic_name: 'topic' });
  assert.deepEqual(await queues[1]?.now(), []);
  assert((await queues[0]?.now())?.some(({ type }) => type === 'delete_message'));
  for (const event of await muted.now()) assert.deepEqual(event.muted_topics, []);

  await unarchive(host, id);
  const late = (await queues[2]?.now()) ?? [];
  assert.deepEqual(
    late.filter(({ type }) => type !== 'subscription').map(({ type, op }) => [type, op]),
    [
      ['stream', 'delete'],
      ['update_message_flags', 'add'],
      ['stream', 'create'],
      ['message', undefined],
    ],
  );
});

// rules: register-17
test('an older client registers without the topics and unread messages of archived channels', async () => {
  const { id, name } = await channel({ principals: [member.userId] });
  await member.ok('POST', '/user_topics', { stream_id: id, topic: 'loud', visibility_policy: 1 });
  await host.send(name, 'topic', `@**|${member.userId}** unread`);
  const initialState = async (archived_channels: boolean) => {
    const { state } = await member.register({ client_capabilities: { archived_channels } });
    const mutes = await member.register({
      fetch_event_types: ['muted_topics'],
      client_capabilities: { archived_channels },
    });
    const { count, streams, mentions } = state.unread_msgs;
    return {
      count,
      mentions: mentions.length,
      unread: streams.some(({ stream_id }: Json) => stream_id === id),
      topics: state.user_topics.some(({ stream_id }: Json) => stream_id === id),
      muted: mutes.state.muted_topics.some(([channelName]: Json) => channelName === name),
    };
  };
  const before = await initialState(false);
  assert.deepEqual(await initialState(true), before);
  assert.deepEqual([before.unread, before.topics, before.muted], [true, true, true]);
  await archive(host, id);
  const { count, mentions } = before;
  assert.deepEqual(await initialState(true), { ...before, count: count + 1 });
  assert.deepEqual(await initialState(false), {
    count: count - 1,
    mentions: mentions - 1,
    unread: false,
    topics: false,
    muted: false,
  });
});
