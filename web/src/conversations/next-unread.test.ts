import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { directPlace, keyOf, topicPlace } from '@heddle/client/model/messages/places.ts';
import { startTestServer } from '@heddle/server/testing/server/server.ts';
import { ModelClient } from '../../../client/testing/model-client.ts';
import { InboxRows } from './inbox/rows.ts';
import { neighbourChannel, neighbourUnread, nextUnreadDirect, nextUnreadTopic } from './next-unread.ts';

const server = await startTestServer();
after(() => server.stop());

/** A reader with unread messages in two channels and two direct conversations. */
async function reader() {
  const [ada, bo, cy] = [
    await server.user({ name: 'Ada' }),
    await server.user({ name: 'Bo' }),
    await server.user({ name: 'Cy' }),
  ];
  const prefix = `run ${ada.userId}`;
  const ids: number[] = [];
  for (const name of [`${prefix} a`, `${prefix} b`]) {
    await ada.subscribe(name);
    await bo.subscribe(name);
    const { stream_id } = await bo.ok('GET', '/get_stream_id', { stream: name });
    ids.push(Number(stream_id));
  }
  const [first = 0, second = 0] = ids;
  await bo.send(first, 'one', 'hi');
  await bo.send(first, 'two', 'hi');
  await bo.send(first, 'two', 'hi');
  await bo.send(second, 'three', 'hi');
  await bo.direct([ada.userId], 'hi');
  await cy.direct([ada.userId], 'hi');
  const client = await ModelClient.start(ada, server.url);
  const everything = { anchor: 'oldest', num_before: 0, num_after: 100, op: 'add', flag: 'read' };
  for (const id of ids) {
    const events = [
      { operator: 'channel', operand: id },
      { operator: 'topic', operand: 'channel events' },
    ];
    await ada.ok('POST', '/messages/flags/narrow', { ...everything, narrow: events });
  }
  await client.catchUp();
  return { ada, bo, cy, client, model: client.model, first, second };
}

test('the next unread topic is in the same channel, then in the channel below, then at the top', async () => {
  const { model, first, second } = await reader();
  const next = (from: ReturnType<typeof nextUnreadTopic>) => {
    const place = nextUnreadTopic(model, from);
    return place === undefined ? undefined : keyOf(place);
  };
  assert.equal(next(undefined), `${first}:two`);
  assert.equal(next(topicPlace(first, 'two')), `${first}:one`);
  assert.equal(next(topicPlace(second, 'nothing')), `${second}:three`);
  assert.equal(next(topicPlace(second, 'three')), `${first}:two`);
});

test('all unread conversations are in one order, which one can follow in both directions', async () => {
  const { bo, cy, model, first, second } = await reader();
  const walk = (step: 1 | -1) => {
    const keys: string[] = [];
    for (let place = neighbourUnread(model, undefined, step); place !== undefined; ) {
      keys.push(keyOf(place));
      if (keys.length === 6) break;
      place = neighbourUnread(model, place, step);
    }
    return keys;
  };
  const direct = [cy, bo].map(({ userId }) => keyOf(directPlace([userId], model.ownId)));
  const forth = [...direct, `${first}:two`, `${first}:one`, `${second}:three`];
  assert.deepEqual(walk(1), [...forth, forth[0]]);
  assert.deepEqual(walk(-1), [...forth.toReversed(), forth.at(-1)]);
  // From a conversation without unread messages, its channel says where to go.
  const next = neighbourUnread(model, topicPlace(second, 'nothing'), 1);
  assert.equal(next && keyOf(next), `${second}:three`);
});

test('muted topics are not next, and followed ones can be asked for', async () => {
  const { ada, client, model, first, second } = await reader();
  await ada.ok('POST', '/user_topics', { stream_id: first, topic: 'two', visibility_policy: 1 });
  await ada.ok('POST', '/user_topics', { stream_id: second, topic: 'three', visibility_policy: 3 });
  await client.catchUp();
  assert.deepEqual(nextUnreadTopic(model, undefined), topicPlace(first, 'one'));
  assert.deepEqual(nextUnreadTopic(model, undefined, true), topicPlace(second, 'three'));
  assert.equal(nextUnreadTopic(model, topicPlace(second, 'three'), true), undefined);
});

test('the next direct conversation is the newest one, then the one below', async () => {
  const { model, bo, cy } = await reader();
  const newest = nextUnreadDirect(model, undefined);
  assert.deepEqual(newest, { kind: 'direct', userIds: [cy.userId] });
  assert.deepEqual(nextUnreadDirect(model, newest), { kind: 'direct', userIds: [bo.userId] });
});

test('the channels above and below form a ring', async () => {
  const { model, first, second } = await reader();
  assert.equal(neighbourChannel(model, first, 1), second);
  const last = neighbourChannel(model, undefined, -1);
  assert.equal(neighbourChannel(model, last, 1), neighbourChannel(model, undefined, 1));
});

test('the inbox has direct messages first, then channels with their topics, and follows changes', async () => {
  const { ada, bo, client, model, first, second } = await reader();
  const inbox = new InboxRows(model, 'unmuted');
  const keys = () => inbox.rows(() => true).map(({ key }) => key);
  const [heading, newest, older, ...channels] = keys();
  assert.deepEqual([heading, newest?.[0], older?.[0]], ['section direct', 'd', 'd']);
  assert.deepEqual(channels, [
    'section other',
    `c${first}`,
    `${first}:two`,
    `${first}:one`,
    `c${second}`,
    `${second}:three`,
  ]);

  await bo.send(second, 'four', 'hi');
  await ada.ok('POST', '/user_topics', { stream_id: first, topic: 'two', visibility_policy: 1 });
  await client.catchUp();
  assert.deepEqual(keys().slice(4), [`c${first}`, `${first}:one`, `c${second}`, `${second}:four`, `${second}:three`]);
  const all = new InboxRows(model, 'all').rows(() => true).map(({ key }) => key);
  assert.ok(all.includes(`${first}:two`));
  const followed = new InboxRows(model, 'followed').rows(() => true);
  assert.deepEqual(followed, []);
});
