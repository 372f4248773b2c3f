// timeouts: real
/**
 * Kills and pauses servers while they deliver scheduled messages and reminders. Each is delivered exactly once, without
 * a new request.
 * The moments of the kills are random: timers here schedule the faults. Nothing else waits for a time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises'; // timing: the servers are killed at random moments
import type pg from 'pg';
import { isWaitedFor } from './testing/database/lock-waits.ts';
import { timesOf } from './testing/faults/kill-counts.ts';
import { Reader, type StubbornClient } from './testing/faults/stubborn-clients.ts';
import { sharedTwoServers } from './testing/faults/two-servers.ts';
import { randomOf } from './testing/random/random.ts';
import { inSeconds } from './testing/server/due.ts';
import { until } from './testing/server/until.ts';

const twoServers = sharedTwoServers();

async function newChannel(client: StubbornClient, name: string): Promise<number> {
  const { user_id } = await client.insist('GET', '/users/me');
  return (await client.insist('POST', '/channels/create', { name, subscribers: [user_id] })).id;
}

/** Schedules messages, and a fifth as many reminders, for a later day. All texts begin with the given word. */
async function plan(client: StubbornClient, word: string, count: number): Promise<readonly string[]> {
  const channel = await newChannel(client, word);
  const target = { type: 'channel', to: channel, topic: 'warp' };
  const { id } = await client.insist('POST', '/messages', { ...target, content: 'remember' });
  const planned: string[] = [];
  const scheduled_delivery_timestamp = inSeconds(86_400);
  for (let number = 0; number < count; number += 1) {
    const content = `${word} ${number}`;
    await client.insist('POST', '/scheduled_messages', { ...target, content, scheduled_delivery_timestamp });
    planned.push(content);
    if (number % 5 > 0) continue;
    const note = `${word} note ${number}`;
    await client.insist('POST', '/reminders', { message_id: id, note, scheduled_delivery_timestamp });
    planned.push(note);
  }
  return planned;
}

/** Reschedules all of them to be due one after another, within the given number of seconds. */
async function begin(connection: pg.Client, seconds: number): Promise<void> {
  for (const table of ['scheduled_messages', 'reminders']) {
    const place = `(id - (SELECT min(id) FROM ${table}))::float8 / (SELECT count(*) FROM ${table})`;
    await connection.query(`UPDATE ${table} SET deliver_at = now() + $1 * ${place} * interval '1 second'`, [seconds]);
  }
}

/** The stored messages with this word that were scheduled: by their texts, and reminders by their notes. */
async function delivered(client: StubbornClient, word: string): Promise<readonly string[]> {
  const planned = new RegExp(`^(${word} \\d+)$|(${word} note \\d+)`, 'm');
  const found = await client.allMessages();
  return found.flatMap(({ content }) => planned.exec(content)?.[0] ?? []);
}

async function untilNothingIsLeft(client: StubbornClient): Promise<void> {
  await until(async () => {
    const { scheduled_messages } = await client.insist('GET', '/scheduled_messages');
    const { reminders } = await client.insist('GET', '/reminders');
    assert(
      [...scheduled_messages, ...reminders].every(({ failed }) => !failed),
      'no delivery has failed',
    );
    return scheduled_messages.length + reminders.length === 0;
  }, 'all deliveries');
}

async function check(client: StubbornClient, reader: Reader, word: string, planned: readonly string[]): Promise<void> {
  await untilNothingIsLeft(client);
  assert.deepEqual((await delivered(client, word)).toSorted(), planned.toSorted(), 'each message is stored once');
  const read = reader.lastReadId('the end');
  await client.insist('POST', '/messages', { type: 'direct', to: [client.account.userId], content: 'the end' });
  await read;
  const countOf = (type: string) => reader.received.filter((one) => one.type === type).length;
  assert.deepEqual(
    [countOf('scheduled_messages') + countOf('reminders'), countOf('message')],
    [planned.length, planned.length + 1],
    'each message is received once, and so is its removal',
  );
}

// rules: scheduled-6
test('scheduled messages are delivered once despite repeated kills during delivery', async (t) => {
  const random = randomOf(t);
  const { one, two, atOne, atTwo, connect } = twoServers();
  const word = 'pick';
  const planned = await plan(atOne, word, timesOf({ gate: 40, long: 100 }));
  const reader = await Reader.register(atTwo, { apply_markdown: false });
  await begin(await connect(), timesOf({ gate: 5, long: 15 }));
  for (let kills = 0; kills < timesOf({ gate: 2, long: 10 }); kills += 1) {
    // Sometimes both servers.
    const victims = kills % 3 === 0 ? [one, two] : [kills % 2 === 0 ? one : two];
    await delay(random.below(700));
    await Promise.all(victims.map((server) => server.kill()));
    await Promise.all(victims.map((server) => server.restart()));
  }
  await check(atOne, reader, word, planned);
});

for (const fault of ['killed', 'stopped'] as const) {
  // rules: scheduled-6
  test(`if a process is ${fault} during a delivery, the other delivers once`, async () => {
    const { one, two, atOne, atTwo, connect } = twoServers();
    const planned = await plan(atOne, fault, 15);
    // The second process is not running, so the first one delivers.
    await two.kill();
    const holder = await connect();
    await holder.query('BEGIN; LOCK TABLE messages IN SHARE MODE');
    await begin(await connect(), 0);
    await isWaitedFor(holder);
    if (fault === 'killed') await one.kill();
    else await one.pause();
    await two.restart();
    const reader = await Reader.register(atTwo, { apply_markdown: false });
    await holder.query('COMMIT');
    await untilNothingIsLeft(atTwo);
    if (fault === 'killed') await one.restart();
    else one.resume();
    await check(atTwo, reader, fault, planned);
    assert.deepEqual((await delivered(atOne, fault)).toSorted(), planned.toSorted());
  });
}
