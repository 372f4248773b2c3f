import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { deliverAll, inSeconds, requestedSoon } from '../../testing/server/due.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let member: TestClient;
let other: TestClient;
let channel: number;
before(async () => {
  server = await startTestServer();
  member = await server.user({ name: 'Mia Member' });
  other = await server.user({ name: 'Otto Other' });
  channel = await server.emptyChannel(server.owner, 'loom', { principals: [member.userId, other.userId] });
});
after(() => server.stop());

const PATH = '/reminders';
const later = inSeconds(86_400);
const raw = { event_types: ['message', 'reminders'], apply_markdown: false };

async function remind(client: TestClient, messageId: number, more: Fields = {}): Promise<number> {
  const fields = { message_id: messageId, scheduled_delivery_timestamp: later };
  return (await client.ok('POST', PATH, { ...fields, ...more })).reminder_id;
}

async function all(client: TestClient): Promise<readonly Json[]> {
  return (await client.ok('GET', PATH)).reminders;
}

const said = (id: number, topic = 'warp') =>
  `@_**Otto Other|${other.userId}** [said](${server.url}/#narrow/channel/${channel}-loom/topic/${topic}/near/${id}):`;

// rules: scheduled-8
test('a reminder is listed, in the initial state, and in an event to its user only', async () => {
  const user = await server.user();
  const id = await other.send(channel, 'warp', 'mind the *gap*');
  const queue = await user.register({ event_types: ['reminders'] });
  const otherQueue = await other.register({ event_types: ['reminders'] });
  const reminderId = await remind(user, id);
  const [reminder, ...others] = await all(user);
  assert.deepEqual(others, []);
  assert.deepEqual(
    { ...reminder, rendered_content: '' },
    {
      reminder_id: reminderId,
      type: 'private',
      to: [user.userId],
      content: `You requested a reminder for #**loom>warp@${id}**.\n\n${said(id)}\n\`\`\`quote\nmind the *gap*\n\`\`\``,
      rendered_content: '',
      scheduled_delivery_timestamp: later,
      failed: false,
      reminder_target_message_id: id,
    },
  );
  assert.match(reminder.rendered_content, /<blockquote>\s*<p>mind the <em>gap<\/em><\/p>/);
  assert.deepEqual((await user.register({ event_types: ['reminders'] })).state.reminders, [reminder]);
  const [event] = await queue.take(1);
  assert.deepEqual({ ...event, id: 0 }, { id: 0, type: 'reminders', op: 'add', reminders: [reminder] });
  assert.deepEqual(await otherQueue.now(), []);
  assert.deepEqual(await all(other), []);
});

test('a reminder of a direct message links to the conversation', async () => {
  const id = await other.direct([member.userId], 'psst');
  const reminderId = await remind(member, id);
  const [reminder] = (await all(member)).filter((one) => one.reminder_id === reminderId);
  const people = [member.userId, other.userId].sort((a, b) => a - b).join(',');
  assert.equal(
    reminder.content,
    'You requested a reminder for the following direct message.\n\n' +
      `@_**Otto Other|${other.userId}** [said](${server.url}/#narrow/dm/${people}/near/${id}):\n\`\`\`quote\npsst\n\`\`\``,
  );
});

test('a note is part of the reminder, and has a bounded length', async () => {
  const id = await other.send(channel, 'warp', 'x');
  const contentWith = async (note: string) => {
    const reminderId = await remind(member, id, { note });
    return (await all(member)).find((one) => one.reminder_id === reminderId).content.split('\n\n')[0];
  };
  const head = `You requested a reminder for #**loom>warp@${id}**.`;
  assert.equal(await contentWith('\nask *him*\nagain \n'), `${head} Note:\n > ask *him*\n > again`);
  assert.equal(await contentWith(' \n'), head);
  assert.equal(await contentWith('🧵'.repeat(1000)), `${head} Note:\n > ${'🧵'.repeat(1000)}`);
  const fields = { message_id: id, scheduled_delivery_timestamp: later, note: 'x'.repeat(1001) };
  assert.equal((await member.fails('POST', PATH, fields)).msg, 'Maximum reminder note length: 1000 characters');
  const { state } = await member.register({ event_types: ['realm'] });
  assert.equal(state.max_reminder_note_length, 1000);
});

test('quoted text cannot end its quote, and is truncated to fit into a message', async () => {
  const content = `\`\`\`\n\`\`\`\`quote\nx\n\`\`\`\`\n${'y'.repeat(9_950)}`;
  const id = await other.send(channel, 'a > b', content);
  const reminderId = await remind(member, id);
  const [reminder] = (await all(member)).filter((one) => one.reminder_id === reminderId);
  assert.equal(reminder.content.length, 10_000);
  assert(reminder.content.endsWith('\n[message truncated]\n`````'));
  assert.match(reminder.content, new RegExp(`^You requested a reminder for \\[message ${id}\\]`));
});

// rules: scheduled-9
test('a reminder for an inaccessible message or for a past time is refused', async () => {
  const closed = await server.emptyChannel(server.owner, 'closed', { invite_only: true });
  const hidden = await server.owner.send(closed, 'a', 'secret');
  for (const message_id of [hidden, 123_456_789, -1]) {
    const { code, msg } = await member.fails('POST', PATH, { message_id, scheduled_delivery_timestamp: later });
    assert.deepEqual([code, msg], ['BAD_REQUEST', 'Invalid message(s)']);
  }
  const message_id = await other.send(channel, 'warp', 'x');
  const refusal = async (scheduled_delivery_timestamp: number) =>
    (await member.fails('POST', PATH, { message_id, scheduled_delivery_timestamp })).msg;
  assert.equal(await refusal(inSeconds(-1)), 'Scheduled delivery time must be in the future.');
  assert.equal(await refusal(inSeconds(4e8)), 'Scheduled delivery time is too far in the future.');
});

test('a user has a bounded number of reminders', async () => {
  const hoarder = await server.user();
  const id = await other.send(channel, 'warp', 'x');
  await sql`
    INSERT INTO reminders (organization_id, user_id, message_id, note, content, rendered_content, deliver_at)
    SELECT organization_id, id, ${id}, '', 'x', 'x', now() + interval '1 day'
      FROM users, generate_series(1, 199) WHERE id = ${hoarder.userId}`.execute(server.app.db);
  await remind(hoarder, id);
  const fields = { message_id: id, scheduled_delivery_timestamp: later };
  assert.equal((await hoarder.fails('POST', PATH, fields)).msg, 'Too many reminders (limit: 200)');
  await sql`DELETE FROM reminders WHERE user_id = ${hoarder.userId}`.execute(server.app.db);
});

// rules: scheduled-8
test('DELETE removes a reminder and sends an event; unknown reminders and those of others get the same refusal', async () => {
  const id = await remind(member, await other.send(channel, 'warp', 'x'));
  const queue = await member.register({ event_types: ['reminders'] });
  await member.ok('DELETE', `${PATH}/${id}`);
  const [event] = await queue.take(1);
  assert.deepEqual({ ...event, id: 0 }, { id: 0, type: 'reminders', op: 'remove', reminder_id: id });
  const theirs = await remind(other, await other.send(channel, 'warp', 'x'));
  for (const gone of [id, theirs, 1_000_000]) {
    const { status, body } = await member.call('DELETE', `${PATH}/${gone}`);
    assert.deepEqual([status, body.code, body.msg], [404, 'BAD_REQUEST', 'Reminder does not exist']);
  }
});

// rules: scheduled-8
test('the notification bot delivers a reminder at its time, in one commit with its removal', async () => {
  const user = await server.user();
  const id = await other.send(channel, 'warp', `@**${user.name}** look`);
  const queue = await user.register(raw);
  let reminderId = 0;
  await requestedSoon(async (time) => {
    const fields = { message_id: id, scheduled_delivery_timestamp: time, note: 'soon' };
    const { body } = await user.call('POST', PATH, fields);
    reminderId = body.reminder_id;
    return body;
  });
  const [, { message, flags, id: eventId }, removed] = await queue.take(3);
  assert.match(message.sender_email, /^notification-bot/);
  assert.deepEqual(message.display_recipient.map((one: Json) => one.id).includes(user.userId), true);
  assert.equal(
    message.content,
    `You requested a reminder for #**loom>warp@${id}**. Note:\n > soon\n\n${said(id)}\n\`\`\`quote\n@**${user.name}** look\n\`\`\``,
  );
  assert.deepEqual(flags, []);
  assert.deepEqual([removed.op, removed.reminder_id, removed.id], ['remove', reminderId, eventId + 1]);
  assert.deepEqual(await all(user), []);
});

test('a reminder quotes the message as of its delivery, and is delivered however late', async () => {
  const user = await server.user();
  const id = await other.send(channel, 'warp', 'before');
  const queue = await user.register(raw);
  await remind(user, id);
  await other.ok('PATCH', `/messages/${id}`, { content: 'after' });
  await deliverAll(server, 3 * 86_400);
  const [, { message }] = await queue.take(3);
  assert.match(message.content, /quote\nafter\n/);
});

test('a user who lost access to the message gets the text of the reminder’s creation', async () => {
  const user = await server.user();
  const closed = await server.emptyChannel(server.owner, 'inner', { invite_only: true, principals: [user.userId] });
  const id = await server.owner.send(closed, 'a', 'for subscribers');
  await remind(user, id);
  await server.owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['inner'], principals: [user.userId] });
  await server.owner.ok('PATCH', `/messages/${id}`, { content: 'not for you' });
  const queue = await user.register(raw);
  await deliverAll(server);
  const [{ message }] = await queue.take(2);
  assert.match(message.content, /quote\nfor subscribers\n/);
});

test('deleting a message removes its text from reminders, events and the log; the reminder is delivered with its note', async () => {
  const user = await server.user();
  const id = await other.send(channel, 'warp', 'a word too much');
  const [queue, late] = [await user.register(raw), await user.register(raw)];
  const reminderId = await remind(user, id, { note: 'ask again' });
  assert.match((await queue.take(1))[0].reminders[0].content, /too much/);
  await server.owner.ok('DELETE', `/messages/${id}`);
  const [reminder] = await all(user);
  const content = 'You requested a reminder for a message that has been deleted.';
  assert.deepEqual([reminder.content, reminder.rendered_content], [content, `<p>${content}</p>`]);
  const events = await queue.take(2);
  assert.deepEqual(
    events.map(({ op, reminder_id, reminders }) => [op, reminder_id, reminders]),
    [
      ['remove', reminderId, undefined],
      ['add', undefined, [reminder]],
    ],
  );
  // A client that reads late also learns of it before it is removed, and not of the text.
  const read = (await late.now()).filter(({ type }) => type === 'reminders');
  assert.deepEqual(
    read.map(({ op, reminder_id, reminders }) => [op, reminder_id, reminders]),
    [
      ['add', undefined, [reminder]],
      ['remove', reminderId, undefined],
      ['add', undefined, [reminder]],
    ],
  );
  const { rows } = await sql`SELECT 1 FROM events WHERE body LIKE '%too much%'`.execute(server.app.db);
  assert.equal(rows.length, 0);
  await deliverAll(server);
  const delivered = (await queue.now()).find(({ type }) => type === 'message');
  assert.equal(delivered.message.content, `${content} Note:\n > ask again`);
});

test('several reminders of a user are delivered together, each once', async () => {
  const user = await server.user();
  const queue = await user.register(raw);
  for (let number = 0; number < 25; number += 1)
    await remind(user, await other.send(channel, 'warp', `pick ${number}`));
  await deliverAll(server);
  const texts = (await queue.now()).flatMap(({ message }) => /quote\n(.*)\n/.exec(message?.content)?.[1] ?? []);
  assert.deepEqual(
    texts,
    Array.from({ length: 25 }, (_, number) => `pick ${number}`),
  );
});

test('reminders of a deactivated user fail', async () => {
  const leaver = await server.user();
  await remind(leaver, await other.send(channel, 'warp', 'x'));
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, leaver.userId);
  await deliverAll(server);
  const { rows } = await sql`SELECT failed FROM reminders WHERE user_id = ${leaver.userId}`.execute(server.app.db);
  assert.deepEqual(rows, [{ failed: true }]);
});
