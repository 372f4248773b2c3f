import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let reader: TestClient;
const channels: Record<string, number> = {};
const sent: Record<string, number> = {};
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  reader = await server.user();
  for (const name of ['loud', 'hushed', 'other']) {
    const principals = name === 'other' ? [] : [reader.userId];
    const id = await server.emptyChannel(owner, name, { principals });
    channels[name] = id;
    for (const topic of ['plain', 'Muted', 'unmuted', 'followed']) {
      for (const n of [1, 2]) sent[`${name} ${topic} ${n}`] = await owner.send(name, topic, `${n}`);
    }
    for (const [policy, topic] of [
      [1, 'muted'],
      [2, 'UNMUTED'],
      [3, 'Followed'],
    ] as const) {
      await reader.ok('POST', '/user_topics', { stream_id: id, topic, visibility_policy: policy });
    }
  }
  sent.direct = await owner.direct([reader.userId], 'x');
  await reader.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channels.hushed, property: 'is_muted', value: true }],
  });
});
after(() => server.stop());

async function found(narrow: readonly Json[], range: Json = { anchor: 'newest', num_before: 100, num_after: 0 }) {
  const { messages } = await reader.ok('GET', '/messages', { ...range, narrow });
  const names = new Map(Object.entries(sent).map(([name, id]) => [id, name]));
  return messages.map(({ id }: Json) => names.get(id));
}

const is = (operand: string, negated = false) => ({ operator: 'is', operand, negated });
const twice = (...topics: string[]) => topics.flatMap((topic) => [`${topic} 1`, `${topic} 2`]);

test('is:followed finds received messages of followed topics, in any case', async () => {
  assert.deepEqual(await found([is('followed')]), twice('loud followed', 'hushed followed'));
  assert.deepEqual(
    await found([
      ['is', 'followed'],
      ['sender', owner.email],
    ]),
    twice('loud followed', 'hushed followed'),
  );
});

test('is:muted finds muted topics, and in muted channels those that are neither unmuted nor followed', async () => {
  assert.deepEqual(await found([is('muted')]), twice('loud Muted', 'hushed plain', 'hushed Muted'));
});

test('negated operators find all other messages, direct ones included', async () => {
  const rest = [...twice('loud plain', 'loud unmuted', 'loud followed', 'hushed unmuted', 'hushed followed'), 'direct'];
  assert.deepEqual(await found([is('muted', true)]), rest);
  const unfollowed = twice(
    'loud plain',
    'loud Muted',
    'loud unmuted',
    'hushed plain',
    'hushed Muted',
    'hushed unmuted',
  );
  assert.deepEqual(await found([is('followed', true)]), [...unfollowed, 'direct']);
});

test('in:home finds messages that are not muted, in:all finds all, and other operands are refused', async () => {
  const home = await found([is('muted', true)]);
  const muted = await found([is('muted')]);
  assert.deepEqual(await found([{ operator: 'in', operand: 'home' }]), home);
  assert.deepEqual(await found([['in', 'home']]), home);
  assert.deepEqual(await found([{ operator: 'in', operand: 'home', negated: true }]), muted);
  const everything = await found([]);
  for (const negated of [false, true]) {
    assert.deepEqual(await found([{ operator: 'in', operand: 'all', negated }]), everything);
  }
  const range = { anchor: 'newest', num_before: 1, num_after: 0 };
  const elsewhere = await reader.fails('GET', '/messages', { ...range, narrow: [['in', 'nowhere']] });
  assert.equal(elsewhere.code, 'BAD_NARROW');
});

test('within a channel they also find messages the user did not receive, and respect a muted channel', async () => {
  const channel = (operand: number | undefined) => ({ operator: 'channel', operand });
  assert.deepEqual(await found([channel(channels.other), is('followed')]), twice('other followed'));
  assert.deepEqual(await found([channel(channels.other), is('muted')]), twice('other Muted'));
  assert.deepEqual(await found([channel(channels.hushed), is('muted')]), twice('hushed plain', 'hushed Muted'));
});

test('around an anchor they continue with the next topic until the page is full', async () => {
  const range = { anchor: sent['hushed plain 1'], num_before: 1, num_after: 2 };
  assert.deepEqual(await found([is('muted')], range), ['loud Muted 2', ...twice('hushed plain'), 'hushed Muted 1']);
  const after = { anchor: 'oldest', num_before: 0, num_after: 3 };
  assert.deepEqual(await found([is('followed')], after), [...twice('loud followed'), 'hushed followed 1']);
  assert.deepEqual(await found([is('followed'), is('unread')], after), [
    ...twice('loud followed'),
    'hushed followed 1',
  ]);
});

test('followed and muted topics of a channel that became inaccessible are not found', async () => {
  const stranger = await server.user();
  const id = await server.emptyChannel(owner, 'cellar', { principals: [stranger.userId], invite_only: true });
  await owner.send('cellar', 'a', 'x');
  for (const policy of [3, 1]) {
    await stranger.ok('POST', '/user_topics', { stream_id: id, topic: 'a', visibility_policy: policy });
    const narrow = [is(policy === 3 ? 'followed' : 'muted')];
    const all = { anchor: 'oldest', num_before: 0, num_after: 10, narrow };
    assert.equal((await stranger.ok('GET', '/messages', all)).messages.length, 1);
    await stranger.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['cellar'] });
    assert.deepEqual((await stranger.ok('GET', '/messages', all)).messages, []);
    await owner.subscribe('cellar', { principals: [stranger.userId] });
  }
});
