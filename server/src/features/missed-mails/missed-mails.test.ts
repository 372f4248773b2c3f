import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import { leaveClients } from '../../testing/server/away.ts';
import { queueMissedMails } from '../../testing/server/due.ts';
import { mailsOf, type ReadMail } from '../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let sender: TestClient;
/** The user who is away. */
let person: TestClient;
let address: string;
let channels = 0;
before(async () => {
  server = await startTestServer({
    environment: { HEDDLE_LOG_LEVEL: 'silent', HEDDLE_URL: 'http://chat.example.com' },
  });
  sender = await server.user({ name: 'Sendra' });
});
beforeEach(async () => {
  person = await server.user();
  address = person.email;
});
after(() => server.stop());

async function channel(...more: readonly TestClient[]): Promise<number> {
  channels += 1;
  const principals = [person, ...more].map(({ userId }) => userId);
  return server.emptyChannel(sender, `channel ${channels}`, { principals });
}

/** The mails to the person, after the server has sent everything. */
async function mails(to = address): Promise<readonly ReadMail[]> {
  await queueMissedMails(server);
  return (await mailsOf(server)).filter((mail) => mail.to === to);
}

const titles = async (to?: string) => (await mails(to)).map(({ subject }) => subject);
const mentionOf = (client: TestClient) => `@**${client.name}|${client.userId}**`;
const set = (settings: Fields) => person.ok('PATCH', '/settings', settings);
const headerOf = ({ source }: ReadMail, name: string) =>
  new RegExp(`^${name}:(.*(?:\\n[ \\t].*)*)`, 'im').exec(source)?.[1]?.replace(/\n\s*/g, ' ').trim();
const read = (...messages: readonly number[]) =>
  person.ok('POST', '/messages/flags', { messages, op: 'add', flag: 'read' });

// rules: mail-1, mail-3, mail-4
test('missed direct messages of a conversation become one mail, with text, HTML and a link to the place', async () => {
  const first = await sender.direct([person.userId], 'Hello, **world**');
  await sender.direct([person.userId], 'and [a page](https://example.org/x)');
  const [mail, ...others] = await mails();
  assert(mail !== undefined && others.length === 0);
  assert.equal(mail.subject, 'Direct messages with Sendra');
  assert.match(mail.body, /Sendra \(.*UTC\):\n\nHello, \*world\*\n\nand a page \(https:\/\/example\.org\/x\)/);
  assert.match(mail.body, /Hello, <strong>world<\/strong>/);
  assert.equal(mail.path, `/#narrow/dm/${[sender.userId, person.userId].join(',')}-dm/near/${first}`);
});

// rules: mail-1
test('mentions, groups and everyone are mailed with the reason, but not to others', async () => {
  const bystander = await server.user();
  const id = await channel(bystander);
  const { group_id } = await sender.ok('POST', '/user_groups/create', {
    name: 'weavers',
    description: '',
    members: [person.userId],
  });
  assert(group_id > 0);
  await sender.send(id, 'one', `${mentionOf(person)} hello`);
  await sender.send(id, 'two', '@*weavers* hello');
  await sender.send(id, 'three', 'for nobody');
  assert.deepEqual(await titles(), [`#channel ${channels} > one`, `#channel ${channels} > two`]);
  const [one, two] = await mails();
  assert.match(one?.body ?? '', /because you were mentioned/);
  assert.match(two?.body ?? '', /because the group @weavers was mentioned/);
  await sender.send(id, 'four', '@**all** hello');
  assert.match((await mails()).at(-1)?.body ?? '', /because everyone in #channel \d+ or in the topic was mentioned/);
  assert.deepEqual(await titles(bystander.email), [`#channel ${channels} > four`]);
});

// rules: mail-1, mail-7
test('followed topics and channels with email notifications are mailed, as the settings say', async () => {
  const [followed, chosen, muted] = [await channel(), await channel(), await channel()];
  const follow = (stream_id: number, visibility_policy: number) =>
    person.ok('POST', '/user_topics', { stream_id, topic: 'topic', visibility_policy });
  await follow(followed, 3);
  await follow(muted, 1);
  const prefer = (stream_id: number, value: boolean) =>
    person.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id, property: 'email_notifications', value }],
    });
  await prefer(chosen, true);
  await prefer(muted, true);
  const toAll = async (text: string) => {
    for (const id of [followed, chosen, muted]) await sender.send(id, 'topic', text);
    return (await mails()).filter(({ body }) => body.includes(text)).map(({ subject }) => subject);
  };
  const nameOf = (id: number) => `#channel ${channels - 2 + [followed, chosen, muted].indexOf(id)} > topic`;
  assert.deepEqual(await toAll('first'), [nameOf(followed), nameOf(chosen)]);
  await set({ enable_followed_topic_email_notifications: false });
  assert.deepEqual(await toAll('second'), [nameOf(chosen)]);
  await prefer(chosen, false);
  await set({ enable_stream_email_notifications: true });
  assert.deepEqual(await toAll('third'), [nameOf(followed)]);
});

// rules: mail-7
test('wildcard mentions follow their settings, in followed topics and elsewhere', async () => {
  const id = await channel();
  await person.ok('POST', '/user_topics', { stream_id: id, topic: 'followed', visibility_policy: 3 });
  await set({ enable_followed_topic_email_notifications: false, wildcard_mentions_notify: false });
  await sender.send(id, 'followed', '@**all** one');
  await sender.send(id, 'other', '@**all** two');
  assert.deepEqual(await titles(), [`#channel ${channels} > followed`]);
  await set({ enable_followed_topic_wildcard_mentions_notify: false });
  await sender.send(id, 'followed', '@**all** three');
  assert.equal((await mails()).length, 1);
});

// rules: mail-7
test('without offline notifications by mail, direct messages and mentions are not mailed', async () => {
  await set({
    enable_offline_email_notifications: false,
    automatically_follow_topics_where_mentioned: false,
  });
  await sender.direct([person.userId], 'direct');
  await sender.send(await channel(), 'x', mentionOf(person));
  assert.deepEqual(await mails(), []);
});

// rules: mail-2
test('a user at an active client has not missed a message', async () => {
  await person.ok('POST', '/users/me/presence', { status: 'active' });
  const queue = await person.register({ event_types: ['message'] });
  await queue.now();
  await sender.direct([person.userId], 'at the client');
  await server.app.consumers.settled();
  await leaveClients(server, person.userId);
  await sender.direct([person.userId], 'away');
  const [mail, ...others] = await mails();
  assert.deepEqual(others, []);
  assert(mail?.body.includes('away') && !mail.body.includes('at the client'));
});

// rules: mail-5
test('messages that were read, deleted or edited away meanwhile are left out, and no mail is sent for them alone', async () => {
  const id = await channel();
  const [seen, gone, kept] = [
    await sender.direct([person.userId], 'seen'),
    await sender.direct([person.userId], 'gone'),
    await sender.direct([person.userId], 'kept'),
  ];
  assert(kept > 0);
  const edited = await sender.send(id, 'edited', mentionOf(person));
  const readAlone = await sender.send(id, 'read', mentionOf(person));
  await server.app.consumers.settled();
  await read(seen, readAlone);
  await sender.ok('DELETE', `/messages/${gone}`);
  await sender.ok('PATCH', `/messages/${edited}`, { content: 'nobody' });
  const [mail, ...others] = await mails();
  assert.deepEqual(others, []);
  assert(mail?.body.includes('kept') && !mail.body.includes('seen') && !mail.body.includes('gone'));
});

// rules: mail-5
test('an edit that adds a mention is mailed, and shows the new text', async () => {
  const id = await sender.send(await channel(), 'edited', 'nobody');
  await sender.ok('PATCH', `/messages/${id}`, { content: `${mentionOf(person)} come` });
  const [mail] = await mails();
  assert.equal(mail?.subject, `#channel ${channels} > edited`);
  assert(mail.body.includes('come'));
});

// rules: mail-5
test('users who left the channel or whose account is closed get no mail', async () => {
  const id = await channel();
  await sender.send(id, 'x', mentionOf(person));
  await server.app.consumers.settled();
  await person.ok('DELETE', '/users/me/subscriptions', { subscriptions: [`channel ${channels}`] });
  assert.deepEqual(await mails(), []);
  await sender.direct([person.userId], 'closed');
  await server.app.consumers.settled();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, person.userId);
  assert.deepEqual(await mails(), []);
});

// rules: mail-6
test('without message content, a mail names neither people, channels nor topics', async () => {
  const id = await channel();
  const hidden = async () => {
    await sender.send(id, 'secret topic', `${mentionOf(person)} secret text`);
    const mail = (await mails()).at(-1);
    assert.equal(mail?.subject, 'New messages');
    assert(!/secret|Sendra|channel-\d/.test(mail.body), mail.body);
    return mail.body;
  };
  await set({ message_content_in_email_notifications: false });
  assert.match(await hidden(), /because you disabled it/);
  await set({ message_content_in_email_notifications: true });
  await server.owner.ok('PATCH', '/realm', { message_content_allowed_in_email_notifications: false });
  assert.match(await hidden(), /because the organization does not allow it/);
  await server.owner.ok('PATCH', '/realm', { message_content_allowed_in_email_notifications: true });
});

// rules: mail-8
test('the title has the name of the organization if the user wants it, or has accounts in several', async () => {
  const title = async (realm_name_in_email_notifications_policy: number) => {
    await set({ realm_name_in_email_notifications_policy });
    await sender.direct([person.userId], 'hello');
    return (await mails()).at(-1)?.subject;
  };
  assert.equal(await title(1), 'Direct messages with Sendra');
  assert.equal(await title(2), 'Direct messages with Sendra [Organization]');
  await server.organization('elsewhere');
  await server.user({ subdomain: 'elsewhere', email: address });
  assert.equal(await title(1), 'Direct messages with Sendra [Organization]');
  assert.equal(await title(3), 'Direct messages with Sendra');
});

// rules: mail-3
test('mails about a conversation are one thread, and those of others are not', async () => {
  const id = await channel();
  for (const topic of ['one', 'One', 'two']) {
    await sender.send(id, topic, mentionOf(person));
    await mails();
  }
  const all = await mails();
  const threads = all.map((mail) => headerOf(mail, 'References'));
  assert.equal(threads.length, 3);
  assert(threads[0]?.startsWith('<conversation.'));
  assert.deepEqual([threads[1] === threads[0], threads[2] === threads[0]], [true, false]);
  assert.deepEqual(
    all.map((mail) => headerOf(mail, 'In-Reply-To')),
    threads,
  );
  assert.equal(new Set(all.map((mail) => headerOf(mail, 'Message-ID'))).size, 3);
});

// rules: mail-1
test('messages wait for the period of the user, which a new value changes', async () => {
  const wait = async () => {
    await server.app.consumers.settled();
    const { rows } = await sql<{ seconds: number }>`
      SELECT extract(epoch FROM due_at - begun_at)::integer AS seconds FROM missed_batches
       WHERE user_id = ${person.userId}`.execute(server.app.db);
    return rows.map(({ seconds }) => seconds);
  };
  await sender.direct([person.userId], 'one');
  assert.deepEqual(await wait(), [120]);
  await set({ email_notifications_batching_period_seconds: 3600 });
  assert.deepEqual(await wait(), [3600]);
  await sender.direct([person.userId], 'two');
  assert.deepEqual(await wait(), [3600]);
  await sender.direct([sender.userId, person.userId, server.owner.userId], 'three');
  assert.deepEqual(await wait(), [3600, 3600]);
});

// rules: mail-9
test('an account gets 60 mails an hour; further messages wait and are not lost', async () => {
  await sender.direct([person.userId], 'first');
  await mails();
  await sql`UPDATE mail_counts SET mails = 60 WHERE user_id = ${person.userId}`.execute(server.app.db);
  await sender.direct([person.userId], 'second');
  await server.app.consumers.settled();
  await sql`UPDATE missed_batches SET due_at = now()`.execute(server.app.db);
  await server.app.scheduler.settled();
  assert.equal((await mailsOf(server)).filter(({ to }) => to === address).length, 1);
  await sender.direct([person.userId], 'third');
  await sql`UPDATE mail_counts SET begun_at = now() - interval '2 hours'`.execute(server.app.db);
  const [, mail, ...others] = await mails();
  assert.deepEqual(others, []);
  assert(mail?.body.includes('second') && mail.body.includes('third'));
});

// rules: mail-9
test('a mail shows 50 messages and counts the others', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 53; n += 1) ids.push(await sender.direct([person.userId], `number ${n}`));
  const [mail, ...others] = await mails();
  assert.deepEqual(others, []);
  assert(mail?.body.includes('number 49') && !mail.body.includes('number 50'));
  assert.match(mail?.body ?? '', /There are 3 more new messages\./);
});

// rules: mail-1
test('the Welcome Bot and the own messages of a user cause no mail', async () => {
  await person.direct([person.userId], 'a note');
  assert.deepEqual(await mails(), []);
});

// rules: mail-4
test('times are in the time zone of the reader, with 12 or 24 hours', async () => {
  await set({ timezone: 'Asia/Tokyo', twenty_four_hour_time: true });
  await sender.direct([person.userId], 'hello');
  const time = async () => /Sendra \((.*)\):/.exec((await mails()).at(-1)?.body ?? '')?.[1] ?? '';
  assert.match(await time(), /^\d+ \w+, \d\d:\d\d (GMT\+9|JST)$/);
  await set({ twenty_four_hour_time: false });
  await sender.direct([person.userId], 'hello');
  assert.match(await time(), /^\d+ \w+, \d+:\d\d (am|pm) (GMT\+9|JST)$/);
});

// rules: mail-1
test('a user whose address no mail reaches has no missed mails', async () => {
  const imported = await server.user({ email: 'imported-u05@users.invalid' });
  await sender.direct([imported.userId, person.userId], 'hello');
  await server.app.consumers.settled();
  const { rows } = await sql<{ user_id: number }>`
    SELECT user_id FROM missed_batches WHERE user_id IN (${imported.userId}, ${person.userId})`.execute(server.app.db);
  assert.deepEqual(rows, [{ user_id: person.userId }]);
});
