/**
 * A day of conversation through the unmodified npm package zulip-js, while its event queues are read. If it fails,
 * Heddle has a bug.
 */
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import type { Json } from './testing/clients/json.ts';
import { AS_AN_APP, LiveModel } from './testing/clients/live-model.ts';
import { type Account, serverForClients } from './testing/faults/server-for-clients.ts';

const zulip = createRequire(import.meta.url)('zulip-js');

const server = await serverForClients();
const files = await mkdtemp(join(tmpdir(), 'heddle-day-'));
const ada = await person(await server.account('Ada'));
const ben = await person(await server.account('Ben'));
const olive = await person(await ownerAccount());
after(async () => {
  for (const one of [ada, ben, olive]) await one.end();
  await rm(files, { recursive: true });
  await server.end();
});

async function ownerAccount(): Promise<Account> {
  const client = await zulip({ ...server.owner });
  const { user_id, email } = succeeded(await client.users.me.getProfile());
  return { id: user_id, username: email, apiKey: client.config.apiKey, realm: server.url };
}

/** A user with a client, and a second thread of the same client that reads a queue all day. */
async function person(account: Account) {
  const client = await zulip({ ...account });
  const state = succeeded(await client.queues.register({ ...AS_AN_APP }));
  const live = new LiveModel(account, state);
  const reading = read(client, state.queue_id, live);
  return {
    id: account.id,
    client,
    live,
    async call(method: string, path: string, fields: Json = {}) {
      return succeeded(await client.callEndpoint(path, method, encoded(fields)));
    },
    async send(to: string, topic: string, content: string): Promise<number> {
      return succeeded(await client.messages.send({ type: 'channel', to, topic, content })).id;
    },
    async end() {
      succeeded(await client.queues.deregister({ queue_id: state.queue_id }));
      await reading;
    },
  };
}

async function read(client: Json, queue_id: string, live: LiveModel): Promise<void> {
  try {
    // timing: it reads until the queue is deleted
    for (;;) {
      const answer = await client.events.retrieve({ queue_id, last_event_id: live.lastEventId });
      if (answer.code === 'BAD_EVENT_QUEUE_ID') return;
      live.accept(succeeded(answer).events);
    }
  } catch (error) {
    live.fail(error);
  }
}

/** Encodes values other than text as JSON. For endpoints that it does not know, zulip-js leaves this to its caller. */
function encoded(fields: Json): Json {
  const isPlain = (value: unknown) =>
    typeof value === 'string' || (typeof value === 'object' && 'path' in (value ?? {}));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isPlain(value) ? value : JSON.stringify(value)]),
  );
}

/** zulip-js resolves also when the server refused. This checks that it did not. */
function succeeded(answer: Json): Json {
  assert.equal(answer.result, 'success', JSON.stringify(answer));
  return answer;
}

const soon = () => Math.floor(Date.now() / 1000) + 2;
const later = () => Math.floor(Date.now() / 1000) + 3600;
const isMessage = (content: RegExp) => (event: Json) => event.type === 'message' && content.test(event.message.content);

let loom: number;
let dyes: number;
let desk: number;
let group: number;

test('channels are created in both ways, and others are subscribed to them', async () => {
  const subscriptions = JSON.stringify([{ name: 'loom', description: 'What we *weave*', color: '#00aacc' }]);
  const principals = JSON.stringify([ada.id, ben.id, olive.id]);
  const made = succeeded(await olive.client.users.me.subscriptions.add({ subscriptions, principals }));
  assert.deepEqual(made.subscribed, { [ada.id]: ['loom'], [ben.id]: ['loom'], [olive.id]: ['loom'] });
  loom = succeeded(await ada.client.streams.getStreamId('loom')).stream_id; // wire name: zulip-js's own
  ({ id: dyes } = await olive.call('POST', '/channels/create', { name: 'dyes', subscribers: [olive.id] }));
  ({ id: desk } = await olive.call('POST', '/channels/create', {
    name: 'desk',
    subscribers: [olive.id],
    invite_only: true,
  }));
  await ada.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'dyes' }] });
  const added = await olive.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'dyes' }],
    principals: ['ben@example.com'],
  });
  assert.equal(added.new_subscription_messages_sent, true);
  await ben.live.next(isMessage(/subscribed you to/));
  const { subscriptions: own } = succeeded(await ada.client.streams.subscriptions.retrieve());
  assert.equal(own.find(({ name }: Json) => name === 'loom').color, '#00aacc');
});

test('a group is created, changed and mentioned', async () => {
  ({ group_id: group } = await olive.call('POST', '/user_groups/create', {
    name: 'weavers',
    description: 'Who weave',
    members: [olive.id, ada.id],
  }));
  await olive.call('POST', `/user_groups/${group}/members`, { add: [ben.id], delete: [olive.id] });
  await olive.call('PATCH', `/user_groups/${group}`, { description: 'Who weave cloth' });
  await olive.send('loom', 'warp', 'Good morning, @*weavers*');
  const { flags } = await ben.live.next(isMessage(/Good morning/));
  assert(flags.includes('mentioned'));
});

test('the organization sets permissions, and refusals reach the client', async () => {
  await olive.call('PATCH', '/realm', { can_create_public_channel_group: { new: group } });
  await ada.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'wool' }] });
  await olive.call('PATCH', '/realm', {
    can_create_public_channel_group: { new: { direct_members: [olive.id], direct_subgroups: [] } },
  });
  const subscriptions = JSON.stringify([{ name: 'silk' }]);
  const refused = await ada.client.users.me.subscriptions.add({ subscriptions });
  assert.deepEqual([refused.code, refused.msg], ['BAD_REQUEST', 'Insufficient permission']);
  await olive.call('PATCH', '/realm', { name: 'The weaving mill', moderation_request_channel_id: desk });
});

test('messages are sent, edited, moved between topics and channels, resolved and unresolved', async () => {
  const first = await ada.send('loom', 'warp', 'Is the warp **tight**?');
  const second = await ben.send('loom', 'warp', 'It is not');
  succeeded(await ada.client.messages.update({ message_id: first, content: 'Is the warp **tight**, @**Ben**?' }));
  const edited = await ben.live.next((event) => event.type === 'update_message');
  assert.deepEqual([edited.message_id, edited.flags.includes('mentioned')], [first, true]);
  const { message_history } = succeeded(await ada.client.messages.getHistoryById({ message_id: first }));
  assert.deepEqual(
    message_history.map(({ content }: Json) => content),
    ['Is the warp **tight**?', 'Is the warp **tight**, @**Ben**?'],
  );

  const whole = { propagate_mode: 'change_all', send_notification_to_old_thread: true };
  succeeded(await olive.client.messages.update({ message_id: second, topic: 'the warp', ...whole }));
  await ada.live.next((event) => event.type === 'update_message' && event.subject === 'the warp');
  succeeded(await olive.client.messages.update({ message_id: second, stream_id: dyes, topic: 'cloth', ...whole }));
  await ada.live.next((event) => event.type === 'update_message' && event.new_stream_id === dyes);
  succeeded(await olive.client.messages.update({ message_id: first, topic: '✔ cloth', propagate_mode: 'change_all' }));
  succeeded(await olive.client.messages.update({ message_id: first, topic: 'cloth', propagate_mode: 'change_all' }));
  const { topics } = succeeded(await ben.client.streams.topics.retrieve({ stream_id: dyes }));
  assert(topics.some(({ name }: Json) => name === 'cloth'));
  const { message } = succeeded(await ben.client.messages.getById({ message_id: first, allow_empty_topic_name: true }));
  assert.deepEqual([message.stream_id, message.subject, message.edit_history.length], [dyes, 'cloth', 5]);
});

test('users react, also with custom emoji, and report messages', async () => {
  const id = await ada.send('loom', 'weft', 'It is **done**');
  succeeded(await ben.client.reactions.add({ message_id: id, emoji_name: 'tada' }));
  const again = await ben.client.reactions.add({ message_id: id, emoji_name: 'tada' });
  assert.equal(again.code, 'REACTION_ALREADY_EXISTS');
  const picture = join(files, 'shuttle.png');
  await sharp({ create: { width: 70, height: 70, channels: 4, background: 'teal' } }).toFile(picture);
  await olive.call('POST', '/realm/emoji/shuttle', { file: createReadStream(picture) });
  const { emoji } = succeeded(await ada.client.emojis.retrieve());
  assert(Object.values<Json>(emoji).some(({ name }) => name === 'shuttle'));
  succeeded(await ada.client.reactions.add({ message_id: id, emoji_name: 'shuttle' }));
  await ben.live.next((event) => event.type === 'reaction' && event.reaction_type === 'realm_emoji');
  succeeded(await ben.client.reactions.remove({ message_id: id, emoji_name: 'tada' }));
  await olive.call('DELETE', '/realm/emoji/shuttle');

  await ben.call('POST', `/messages/${id}/report`, { report_type: 'other', description: 'Too **good**' });
  const report = await olive.live.next(isMessage(/Too \*\*good\*\*|Too <strong>good/));
  assert.equal(report.message.stream_id, desk);
});

test('topics are muted and followed, and messages are marked as read in each way', async () => {
  await ben.call('POST', '/user_topics', { stream_id: loom, topic: 'chatter', visibility_policy: 1 });
  await ben.call('POST', '/user_topics', { stream_id: loom, topic: 'weft', visibility_policy: 3 });
  await ben.call('PATCH', '/users/me/subscriptions/muted_topics', { stream: 'loom', topic: 'chatter', op: 'remove' });
  await ben.call('POST', '/users/me/subscriptions/properties', {
    subscription_data: [
      { stream_id: dyes, property: 'is_muted', value: true },
      { stream_id: loom, property: 'pin_to_top', value: true },
    ],
  });
  const ids: number[] = [];
  for (const topic of ['weft', 'weft', 'chatter', 'other', 'more']) ids.push(await ada.send('loom', topic, 'news'));
  const [one, , three] = ids;
  succeeded(await ben.client.messages.flags.add({ messages: [one], flag: 'read' }));
  succeeded(await ben.client.messages.flags.remove({ messages: [one], flag: 'read' }));
  succeeded(await ben.client.messages.flags.add({ messages: [three], flag: 'starred' }));
  const narrow = [{ operator: 'channel', operand: 'loom' }, ['topic', 'weft']];
  const window = { anchor: 'oldest', num_before: 0, num_after: 100, narrow };
  const flagged = await ben.call('POST', '/messages/flags/narrow', { ...window, op: 'add', flag: 'read' });
  assert.deepEqual([flagged.found_oldest, flagged.found_newest], [true, true]);
  assert(flagged.updated_count >= 2);
  await ben.call('POST', '/mark_topic_as_read', { stream_id: loom, topic_name: 'other' });
  await ben.call('POST', '/mark_stream_as_read', { stream_id: loom });
  const home = { anchor: 'newest', num_before: 50, num_after: 0, narrow: [{ operator: 'in', operand: 'home' }] };
  const { messages } = succeeded(await ben.client.messages.retrieve(home));
  assert(messages.length > 0 && messages.every(({ stream_id }: Json) => stream_id !== dyes));
  await ben.call('POST', '/mark_all_as_read');
  const done = await ben.live.next((event) => event.type === 'update_message_flags' && event.all);
  assert.deepEqual([done.op, done.flag], ['add', 'read']);
});

test('messages are scheduled, changed, canceled and sent, and reminders arrive', async () => {
  const message = { type: 'channel', to: loom, topic: 'evening', scheduled_delivery_timestamp: later() };
  const make = async (content: string) =>
    (await ada.call('POST', '/scheduled_messages', { ...message, content })).scheduled_message_id as number;
  const [kept, dropped] = [await make('Go home'), await make('Stay')];
  await ada.call('DELETE', `/scheduled_messages/${dropped}`);
  await ada.call('PATCH', `/scheduled_messages/${kept}`, {
    content: 'Time to **go home**',
    scheduled_delivery_timestamp: soon(),
  });
  const { scheduled_messages } = await ada.call('GET', '/scheduled_messages');
  assert.deepEqual(
    scheduled_messages.map(({ scheduled_message_id, content }: Json) => [scheduled_message_id, content]),
    [[kept, 'Time to **go home**']],
  );
  const sent = await ben.live.next(isMessage(/go home/));
  assert.deepEqual([sent.message.sender_id, sent.message.subject], [ada.id, 'evening']);

  const id = sent.message.id;
  const far = await ben.call('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: later() });
  await ben.call('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: soon(), note: 'the keys' });
  await ben.call('DELETE', `/reminders/${far.reminder_id}`);
  await ben.live.next(isMessage(/the keys/));
  assert.deepEqual((await ben.call('GET', '/reminders')).reminders, []);
});

test('channels are put into folders and changed', async () => {
  const folder = { name: 'Cloth', description: 'All of *it*' };
  const { channel_folder_id } = await olive.call('POST', '/channel_folders/create', folder);
  const { channel_folder_id: spare } = await olive.call('POST', '/channel_folders/create', {
    ...folder,
    name: 'Spare',
  });
  await olive.call('PATCH', '/channel_folders', { order: [spare, channel_folder_id] });
  await olive.call('PATCH', `/channel_folders/${spare}`, { is_archived: true });
  await olive.call('PATCH', `/streams/${loom}`, { folder_id: channel_folder_id, description: 'What we weave' });
  await olive.call('PATCH', `/streams/${dyes}`, { new_name: 'colours', is_private: true });
  await olive.call('PATCH', `/streams/${dyes}`, { is_private: false });
  const { channel_folders } = await ada.call('GET', '/channel_folders');
  assert.deepEqual(
    channel_folders.map(({ name }: Json) => name),
    ['Cloth'],
  );
  const { streams } = succeeded(await ada.client.streams.retrieve({ include_default: true }));
  assert.equal(streams.find(({ stream_id }: Json) => stream_id === loom).folder_id, channel_folder_id);
});

test('messages, topics, subscriptions and channels are deleted', async () => {
  const id = await ben.send('loom', 'scraps', 'a mistake');
  succeeded(await olive.client.messages.deleteById({ message_id: id }));
  await ada.live.next((event) => event.type === 'delete_message' && event.message_ids.includes(id));
  await ada.send('loom', 'scraps', 'one');
  await ada.send('loom', 'scraps', 'two');
  const { complete } = await olive.call('POST', `/streams/${loom}/delete_topic`, { topic_name: 'scraps' });
  assert.equal(complete, true);
  const leaving = { subscriptions: JSON.stringify(['colours']) };
  assert.deepEqual(succeeded(await ben.client.users.me.subscriptions.remove(leaving)).removed, ['colours']);
  const others = { subscriptions: JSON.stringify(['colours']), principals: JSON.stringify([ada.id]) };
  succeeded(await olive.client.users.me.subscriptions.remove(others));
  succeeded(await olive.client.streams.deleteById({ stream_id: dyes }));
  await olive.call('PATCH', `/streams/${dyes}`, { is_archived: false });
  succeeded(await olive.client.streams.deleteById({ stream_id: dyes }));
  await olive.call('POST', `/user_groups/${group}/deactivate`);
});

// rules: register-29
test('in the evening, each client has the state of a client that registers then', async () => {
  for (const one of [ada, ben, olive]) {
    await one.call('POST', '/messages', { type: 'direct', to: [one.id], content: 'Good night' });
    await one.live.next(isMessage(/Good night/));
    const fresh = succeeded(await one.client.queues.register({ ...AS_AN_APP }));
    await one.live.compare(fresh);
    succeeded(await one.client.queues.deregister({ queue_id: fresh.queue_id }));
  }
});
