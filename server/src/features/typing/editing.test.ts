import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { archiveChannel } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let writer: TestClient;
let reader: TestClient;
let outsider: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  writer = await server.user();
  reader = await server.user();
  outsider = await server.user();
});
after(() => server.stop());

const selected = { event_types: ['typing_edit_message', 'typing'] };
const type = (id: number, op = 'start', client = writer) => client.ok('POST', `/messages/${id}/typing`, { op });
const withoutId = ({ id, ...event }: Json) => event;

/** Returns the events before this call. They arrive in order, so a marker event follows them. */
async function eventsUntilMarker(queue: Awaited<ReturnType<TestClient['register']>>, to: TestClient): Promise<Json[]> {
  await owner.ok('POST', '/typing', { op: 'stop', to: [to.userId] });
  const isMarker = (event: Json) => event.type === 'typing';
  const events = await queue.upTo(isMarker);
  return events.slice(0, events.findIndex(isMarker)).map(withoutId);
}

async function channelOf(name: string, members: readonly TestClient[], more: Json = {}): Promise<number> {
  await owner.subscribe(name, { principals: members.map((client) => client.userId), ...more });
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id;
}

describe('typing notifications for an edit', () => {
  // rules: other-4
  test('in a channel, subscribers receive the sender, the message and the topic', async () => {
    const channelId = await channelOf('edited', [owner, writer, reader]);
    const queue = await reader.register(selected);
    const outside = await outsider.register(selected);
    const id = await writer.send('edited', 'lunch', 'hi');
    await type(id);
    await type(id, 'stop');
    const recipient = { type: 'channel', channel_id: channelId, topic: 'lunch' };
    const common = { type: 'typing_edit_message', sender_id: writer.userId, message_id: id, recipient };
    assert.deepEqual((await queue.take(2)).map(withoutId), [
      { ...common, op: 'start' },
      { ...common, op: 'stop' },
    ]);
    assert.deepEqual(await eventsUntilMarker(outside, outsider), []);
  });

  // rules: other-4
  test('for a direct message, all participants receive the event with their user ids', async () => {
    const queue = await reader.register(selected);
    const own = await writer.register(selected);
    const outside = await outsider.register(selected);
    const id = await writer.direct([reader.userId], 'hi');
    await type(id);
    const userIds = [writer.userId, reader.userId].sort((a, b) => a - b);
    const event = {
      ...{ type: 'typing_edit_message', op: 'start', sender_id: writer.userId, message_id: id },
      recipient: { type: 'direct', user_ids: userIds },
    };
    for (const one of [queue, own]) assert.deepEqual((await one.take(1)).map(withoutId), [event]);
    assert.deepEqual(await eventsUntilMarker(outside, outsider), []);
  });

  // rules: other-4
  test('the empty topic is sent by its display name to clients without empty_topic_name', async () => {
    await channelOf('nameless', [owner, writer, reader]);
    const plain = await reader.register(selected);
    const knowing = await reader.register({ ...selected, client_capabilities: { empty_topic_name: true } });
    await type(await writer.send('nameless', '', 'hi'));
    assert.equal((await plain.take(1))[0].recipient.topic, 'general chat');
    assert.equal((await knowing.take(1))[0].recipient.topic, '');
  });

  // rules: other-5
  test('only users who can edit the message can send them', async () => {
    const channelId = await channelOf('guarded', [owner, writer, reader]);
    const hidden = await channelOf('guarded, hidden', [owner], { invite_only: true });
    const id = await writer.send(channelId, 'a', 'hi');
    const secret = await owner.send(hidden, 'a', 'hi');
    const closed = await channelOf('guarded, closed', [owner, writer]);
    const archived = await writer.send(closed, 'a', 'hi');
    await archiveChannel(server, closed);
    const refusals: [TestClient, number, string, string][] = [
      [reader, id, 'start', "You don't have permission to edit this message"],
      [owner, id, 'start', "You don't have permission to edit this message"],
      [reader, secret, 'start', 'Invalid message(s)'],
      [reader, 987_654, 'start', 'Invalid message(s)'],
      [writer, archived, 'start', 'Invalid message(s)'],
      [writer, id, 'pause', 'Invalid op'],
    ];
    for (const [client, message, op, msg] of refusals) {
      const body = await client.fails('POST', `/messages/${message}/typing`, { op });
      assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', msg]);
    }
    await owner.ok('PATCH', '/realm', { allow_message_editing: false });
    const body = await writer.fails('POST', `/messages/${id}/typing`, { op: 'start' });
    assert.equal(body.msg, 'Your organization has turned off message editing');
    await owner.ok('PATCH', '/realm', { allow_message_editing: true });
  });

  // rules: other-4
  test('are refused if the sender’s settings disable them, and are not sent to users who disable receiving them', async () => {
    await channelOf('quiet edits', [owner, writer, reader]);
    const inChannel = await writer.send('quiet edits', 'a', 'hi');
    const direct = await writer.direct([reader.userId], 'hi');
    const queue = await reader.register(selected);
    await reader.ok('PATCH', '/settings', { receives_typing_notifications: false });
    for (const id of [inChannel, direct]) await type(id);
    await reader.ok('PATCH', '/settings', { receives_typing_notifications: true });
    assert.deepEqual(await eventsUntilMarker(queue, reader), []);
    const settings = ['send_stream_typing_notifications', 'send_private_typing_notifications'];
    for (const [index, id] of [inChannel, direct].entries()) {
      await writer.ok('PATCH', '/settings', { [settings[index] ?? '']: false });
      await writer.fails('POST', `/messages/${id}/typing`, { op: 'start' });
      await writer.ok('PATCH', '/settings', { [settings[index] ?? '']: true });
    }
  });

  // rules: other-4
  test('are not sent to new subscribers of protected history for messages before their subscription', async () => {
    const protectedHistory = { invite_only: true, history_public_to_subscribers: false };
    const channelId = await channelOf('kept edits', [owner, writer], protectedHistory);
    const id = await writer.send(channelId, 'a', 'before');
    await owner.subscribe('kept edits', { principals: [reader.userId] });
    const queue = await reader.register(selected);
    await type(id);
    assert.deepEqual(await eventsUntilMarker(queue, reader), []);
  });
});
