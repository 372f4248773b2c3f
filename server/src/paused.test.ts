// timeouts: real
/**
 * Two server processes on one PostgreSQL. The test pauses or kills one of them: during a transaction, while it holds
 * the organization lock, or while it listens. The other continues within the timeouts of `db/timeouts.ts`. Everything
 * acknowledged exists exactly once, and the paused process misses nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from './testing/clients/json.ts';
import { isWaitedFor } from './testing/database/lock-waits.ts';
import { timesOf } from './testing/faults/kill-counts.ts';
import { Reader, Sending, StubbornClient } from './testing/faults/stubborn-clients.ts';
import { sharedTwoServers, type TwoServers } from './testing/faults/two-servers.ts';
import { randomOf } from './testing/random/random.ts';

const twoServers = sharedTwoServers();

async function newChannel(client: StubbornClient, name: string): Promise<number> {
  const { user_id } = await client.insist('GET', '/users/me');
  return (await client.insist('POST', '/channels/create', { name, subscribers: [user_id] })).id;
}

const toChannel = (to: number, content: string) => ({ type: 'channel', to, topic: 'warp', content });

async function contents(client: StubbornClient, channel: number): Promise<readonly string[]> {
  const narrow = [{ operator: 'channel', operand: channel }];
  return (await client.allMessages({ narrow })).map(({ content }) => content);
}

async function topicsOf(client: StubbornClient, channel: number): Promise<readonly string[]> {
  const { topics } = await client.insist('GET', `/users/me/${channel}/topics`);
  return topics.map(({ name }: Json) => name);
}

async function isSubscribed(client: StubbornClient, userId: number, channel: number): Promise<boolean> {
  return (await client.insist('GET', `/users/${userId}/subscriptions/${channel}`)).is_subscribed;
}

/**
 * Starts a change in the first process that holds the organization lock and waits for a table. `letGo` releases the
 * table.
 */
async function inMidChange({ atOne, connect, user }: TwoServers, channel: string) {
  const { userId } = await user(`${channel}-subscriber`);
  const holder = await connect();
  await holder.query('BEGIN; LOCK TABLE subscriptions IN SHARE MODE');
  const change = atOne.attempt('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: channel }],
    principals: [userId],
  });
  await isWaitedFor(holder);
  return { userId, change, letGo: () => holder.query('COMMIT') };
}

test('a paused process that holds the organization lock blocks others no longer than the pause limit', async () => {
  const servers = twoServers();
  const { one, atOne, atTwo } = servers;
  const channel = await newChannel(atTwo, 'loom');
  const { userId, change, letGo } = await inMidChange(servers, 'loom');
  await one.pause();
  await letGo();
  // Only the timeout in PostgreSQL releases the lock of the paused process.
  const sent = await atTwo.attempt('POST', '/messages', toChannel(channel, 'on it goes'));
  assert(sent !== undefined, 'the message was refused');
  one.resume();
  // The change was repeated, or refused with an error. `attempt` accepts no other result.
  const acknowledgedChange = await change;
  await atOne.insist('POST', '/messages', toChannel(channel, 'and here too'));
  await atTwo.insist('POST', '/messages', toChannel(channel, 'and there'));
  const subscribed = await isSubscribed(atTwo, userId, channel);
  assert.equal(await isSubscribed(atOne, userId, channel), subscribed);
  if (acknowledgedChange !== undefined) assert(subscribed, 'the change was acknowledged but does not exist');
  for (const client of [atOne, atTwo]) {
    assert.deepEqual((await contents(client, channel)).slice(-3), ['on it goes', 'and here too', 'and there']);
  }
});

test('a killed process that held the organization lock blocks nobody, and its change was rolled back', async () => {
  const servers = twoServers();
  const { one, atOne, atTwo } = servers;
  const channel = await newChannel(atTwo, 'heddle');
  const { userId, change, letGo } = await inMidChange(servers, 'heddle');
  await one.kill();
  await letGo();
  assert(await atTwo.attempt('POST', '/messages', toChannel(channel, 'on it goes')), 'the message was refused');
  assert.equal(await change, undefined);
  assert(!(await isSubscribed(atTwo, userId, channel)));
  await one.restart();
  assert.deepEqual((await contents(atOne, channel)).slice(-1), ['on it goes']);
});

/** The notification bot's message about a new channel. */
function isNotice(text: unknown): boolean {
  return String(text).startsWith('**Public** channel');
}

test('a paused listening process continues where it was: its clients miss nothing, and its responses are current', async () => {
  const { one, atOne, atTwo } = twoServers();
  const channel = await newChannel(atTwo, 'reed');
  const reader = await Reader.register(atOne, { event_types: ['message', 'stream'] });
  await one.pause();
  const texts = Array.from({ length: 700 }, (_, index) => `pick ${index}`);
  for (const text of texts) await atTwo.insist('POST', '/messages', toChannel(channel, text));
  const later = await newChannel(atTwo, 'shed');
  await atTwo.insist('POST', '/messages', { type: 'channel', to: later, topic: 'new', content: 'a shed' });
  const read = reader.lastReadId('the end');
  await atTwo.insist('POST', '/messages', toChannel(channel, 'the end'));
  // Sent before the process can have received any event.
  const asked = Promise.all([contents(atOne, channel), topicsOf(atOne, later)]);
  one.resume();
  const [history, topics] = await asked;
  assert.deepEqual(history.slice(-701), [...texts, 'the end']);
  assert(topics.includes('new'));
  await read;
  const received = reader.received.filter(({ type }) => type === 'message').map(({ content }) => content);
  assert.deepEqual(
    received.filter((text) => !isNotice(text)),
    [...texts, 'a shed', 'the end'],
  );
});

/** Resolves when each sender has had another message acknowledged. */
async function acknowledged(...sendings: readonly (Sending | undefined)[]): Promise<void> {
  await Promise.all(sendings.map((sending) => sending?.acknowledged));
}

test('under load from both, pausing and killing each process in turn loses and repeats nothing', async (t) => {
  const servers = twoServers();
  const { one, two, atOne, atTwo } = servers;
  const channel = await newChannel(atTwo, 'warp-beam');
  const ada = new StubbornClient(one, await servers.user('ada'));
  await atOne.insist('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'warp-beam' }],
    principals: [ada.account.userId],
  });
  const readers = [await Reader.register(ada, {}), await Reader.register(atTwo, {})];
  const target = { type: 'channel', to: channel, topic: 'warp' };
  const random = randomOf(t);
  const [first, second] = readers.map((reader) => new Sending(reader, [target], random));
  const turns = [
    { server: one, other: second },
    { server: two, other: first },
  ];
  const rounds = Array.from({ length: timesOf({ gate: 1, long: 3 }) }, () => turns);
  for (const { server, other } of rounds.flat()) {
    await acknowledged(first, second);
    await server.pause();
    await acknowledged(other);
    await acknowledged(other);
    server.resume();
    await acknowledged(first, second);
    await server.kill();
    await acknowledged(other);
    await server.restart();
  }
  await acknowledged(first, second);
  await Promise.all([first?.stop(), second?.stop()]);
  const done = Promise.all(readers.map((reader) => reader.lastReadId('the end')));
  await atTwo.insist('POST', '/messages', toChannel(channel, 'the end'));
  await done;

  const stored = (await contents(atTwo, channel)).filter((text) => /^(message |the end$)/.test(text));
  assert.equal(new Set(stored).size, stored.length, 'a message is stored twice');
  for (const { content, id } of [first, second].flatMap((sending) => sending?.attempts ?? [])) {
    if (id !== undefined) assert(stored.includes(content), `${content} was acknowledged and is not there`);
  }
  for (const { received } of readers) {
    const texts = received.filter(({ type }) => type === 'message').map(({ content }) => content);
    assert.deepEqual(texts, stored, 'what a client received differs from what is stored');
  }
});
