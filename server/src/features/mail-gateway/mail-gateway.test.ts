import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { Role } from '../../directory/records.ts';
import { ownMessageId } from '../../mail/message-ids.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import { queueMissedMails } from '../../testing/server/due.ts';
import { mailsOf } from '../../testing/server/mails.ts';
import { systemGroup } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { gatewayOf } from './running.ts';

let server: TestServer;
let sender: TestClient;
let port: number;
before(async () => {
  server = await startTestServer({
    environment: {
      HEDDLE_LOG_LEVEL: 'silent',
      HEDDLE_MAIL_GATEWAY: '127.0.0.1:0',
      HEDDLE_MAIL_GATEWAY_DOMAIN: 'mail.example.com',
    },
  });
  sender = await server.user({ name: 'Sendra' });
  port = (await gatewayOf(server.app).listening) ?? 0;
});
after(() => server.stop());

interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: { filename: string; content: string | Buffer }[];
}

/** Delivers a mail as another mail server does. Returns 250, or the code of the refusal. */
async function deliver(mail: Mail): Promise<number> {
  return Number((await refusalOf(mail)).slice(0, 3));
}

/** Returns '250', or the whole reply of the refusal. */
async function refusalOf({ from, to, ...mail }: Mail): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const { headers, attachments, ...rest } = mail;
  try {
    await transport.sendMail({
      from,
      to,
      ...(from === '' && { envelope: { from: '', to: [to] } }),
      ...rest,
      ...(headers && { headers: { ...headers } }),
      ...(attachments && { attachments }),
    });
    return '250';
  } catch (error) {
    return (error as { response?: string }).response ?? `000 ${error}`;
  } finally {
    transport.close();
  }
}

/** The address for replies in the newest mail to the person. */
async function replyAddressFor(person: TestClient): Promise<string> {
  await queueMissedMails(server);
  const source = (await mailsOf(server)).findLast(({ to }) => to === person.email)?.source ?? '';
  return /^Reply-To: (\S+)$/m.exec(source)?.[1] ?? '';
}

async function newest(reader: TestClient) {
  const { messages } = await reader.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  });
  return messages[0];
}

// rules: mail-14, mail-16
test('a reply to a mail becomes a message in the conversation, without the quoted mail and the signature', async () => {
  const person = await server.user();
  await sender.direct([person.userId], 'Will you come?');
  const to = await replyAddressFor(person);
  assert.match(to, /^reply\.\d+\.\d+\.\d+\.[a-z2-7]{24}@mail\.example\.com$/);
  const text =
    'Yes, I *will*.\n\nOn Thu, Nov 26, 2026, Sendra via Heddle\n<noreply@localhost> wrote:\n\n> Will you come?\n';
  assert.equal(await deliver({ from: person.email, to, subject: 'Re: x', text }), 250);
  const message = await newest(sender);
  assert.deepEqual([message.content, message.sender_id, message.type], ['Yes, I *will*.', person.userId, 'private']);
  const signed = 'No.\n\n-- \nThe Person\n+49 123';
  assert.equal(await deliver({ from: person.email, to, text: signed }), 250);
  assert.equal((await newest(sender)).content, 'No.');
});

// rules: mail-14
test('a reply follows a message that was moved, and a mail in HTML becomes Markdown', async () => {
  const person = await server.user();
  const id = await server.emptyChannel(sender, 'moving', { principals: [person.userId] });
  const message = await sender.send(id, 'before', `@**${person.name}|${person.userId}** hello`);
  const to = await replyAddressFor(person);
  await server.owner.ok('PATCH', `/messages/${message}`, { topic: 'after', send_notification_to_new_thread: false });
  const html = '<p>Well <b>done</b></p><script>no()</script>';
  assert.equal(await deliver({ from: person.email.toUpperCase(), to, html }), 250);
  const { subject, content } = await newest(sender);
  assert.deepEqual([subject, content], ['after', 'Well **done**']);
});

// rules: mail-15
test('a mail that arrives twice is one message', async () => {
  const person = await server.user();
  await sender.direct([person.userId], 'hello');
  const to = await replyAddressFor(person);
  const mail = { from: person.email, to, text: 'once', messageId: '<once@example.org>' };
  assert.deepEqual([await deliver(mail), await deliver(mail)], [250, 250]);
  const { messages } = await sender.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: 'dm', operand: [person.userId] }],
    apply_markdown: false,
  });
  assert.deepEqual(
    messages.map(({ content }: { content: string }) => content),
    ['hello', 'once'],
  );
});

// rules: mail-17
test('forged, automatic, looping and late mails are refused for good, and change nothing', async () => {
  const person = await server.user();
  const id = await sender.direct([person.userId], 'hello');
  const to = await replyAddressFor(person);
  const from = person.email;
  const refused = async (mail: Partial<Mail>) => {
    assert.equal(await deliver({ from, to, text: 'no', ...mail }), 550, JSON.stringify(mail));
  };
  await refused({ from: 'somebody@example.org' });
  await refused({ to: to.replace(/\.[a-z2-7]{24}@/, `.${'a'.repeat(24)}@`) });
  await refused({ to: to.replace(`.${person.userId}.`, `.${sender.userId}.`) });
  await refused({ to: to.replace('mail.example.com', 'example.com') });
  await refused({ headers: { 'Auto-Submitted': 'auto-replied' } });
  await refused({ headers: { 'List-Id': '<list.example.org>' } });
  await refused({ headers: { Precedence: 'bulk' } });
  await refused({ messageId: ownMessageId('5f0e7c1a', { name: '', address: 'noreply@localhost' }) });
  await refused({ text: '' });
  await sender.ok('DELETE', `/messages/${id}`);
  await refused({});
});

// rules: mail-17
test('a mail above 25 MiB is refused', async () => {
  const person = await server.user();
  await sender.direct([person.userId], 'hello');
  const to = await replyAddressFor(person);
  const attachments = [{ filename: 'large.bin', content: Buffer.alloc(20 * 1024 * 1024, 1) }];
  assert.equal(await deliver({ from: person.email, to, text: 'large', attachments }), 552);
});

// rules: mail-18
test('a mail to the address of a channel becomes a message with its title as topic, its sender and its files', async () => {
  const id = await server.emptyChannel(sender, 'Inbox of All', {});
  const { email } = await sender.ok('GET', `/streams/${id}/email_address`);
  assert.match(email, /^inbox-of-a_channel\.[\d.]+\.[a-z2-7]{24}@mail\.example\.com$/);
  const attachments = [{ filename: 'notes.txt', content: 'some notes' }];
  const mail = {
    from: 'Ext \u202eErn <ext@example.org>',
    to: email,
    subject: 'Re: Fwd: The \u2067offer\u2069',
    text: 'See the file.',
  };
  assert.equal(await deliver({ ...mail, attachments }), 250);
  const { subject, content, sender_id } = await newest(sender);
  assert.deepEqual([subject, sender_id], ['The offer', sender.userId]);
  const [, path = ''] = /\[notes\.txt\]\((\/user_uploads\/\S+)\)/.exec(content) ?? [];
  assert.match(content, /^From: Ext Ern ext@example\.org\n\nSee the file\.\n\n\[notes\.txt\]/);
  assert.notEqual(path, '');
  const forged = { ...mail, from: '"@**all** [x](https://evil.example)" <ext@example.org>', text: 'Look' };
  assert.equal(await deliver(forged), 250);
  assert.equal((await newest(sender)).content, 'From: @ all x (https://evil.example) ext@example.org\n\nLook');
});

// rules: mail-16
test('the files of a mail whose message is refused are not stored', async () => {
  const id = await server.emptyChannel(sender, 'notes', {});
  const { email } = await sender.ok('GET', `/streams/${id}/email_address`);
  const stored = async () => (await sql`SELECT FROM attachments`.execute(server.app.db)).rows.length;
  const before = await stored();
  const attachments = [{ filename: 'notes.txt', content: 'some notes' }];
  const mail = { from: 'ext@example.org', to: email, subject: 'x', attachments };
  await server.owner.ok('PATCH', `/streams/${id}`, { topics_policy: 'empty_topic_only' });
  assert.match(await refusalOf({ ...mail, text: 'Hello' }), /^550 5\.7\.1 .*topic/);
  assert.equal(await stored(), before);
  await server.owner.ok('PATCH', `/streams/${id}`, { topics_policy: 'inherit' });
  assert.equal(await deliver({ ...mail, text: '' }), 250);
  assert.equal(await stored(), before + 1);
});

// rules: mail-18
test('the address of a channel stops to work when its creator may no longer write there', async () => {
  const creator = await server.user();
  const id = await server.emptyChannel(sender, 'closed soon', { principals: [creator.userId], invite_only: true });
  const { email } = await creator.ok('GET', `/streams/${id}/email_address`);
  const mail = { from: 'ext@example.org', to: email, subject: 'x', text: 'hello' };
  assert.equal(await deliver(mail), 250);
  await creator.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['closed soon'] });
  assert.equal(await deliver({ ...mail, text: 'again' }), 550);
});

// rules: mail-18
test('lists and programs may write to channels; answers to mails, reports and own mails are refused', async () => {
  const id = await server.emptyChannel(sender, 'alerts', {});
  const { email: to } = await sender.ok('GET', `/streams/${id}/email_address`);
  const mail = { from: 'ext@example.org', to, subject: 'x', text: 'hello' };
  const accepted: readonly Partial<Mail>[] = [
    { headers: { 'List-Id': '<list.example.org>' } },
    { headers: { Precedence: 'bulk' } },
    { headers: { 'Auto-Submitted': 'auto-generated' } },
    // The mail program of a member, whose domain is that of the server.
    { messageId: '<5f0e7c1a-9d3b@localhost>' },
  ];
  for (const more of accepted) assert.equal(await deliver({ ...mail, ...more }), 250, JSON.stringify(more));
  const refused: readonly Partial<Mail>[] = [
    { headers: { 'Auto-Submitted': 'auto-replied (vacation)' } },
    { headers: { 'X-Autoreply': 'yes' } },
    { headers: { Precedence: 'auto_reply' } },
    { messageId: ownMessageId('5f0e7c1a', { name: '', address: 'noreply@localhost' }) },
    { from: '' },
  ];
  for (const more of refused) assert.equal(await deliver({ ...mail, ...more }), 550, JSON.stringify(more));
});

// rules: mail-20
test('a new API key, a deactivated account and an archived channel end the address of a channel', async () => {
  const addressOf = async (creator: TestClient, id: number, fields = {}) =>
    (await creator.ok('GET', `/streams/${id}/email_address`, fields)).email;
  const works = async (to: string) => (await deliver({ from: 'ext@example.org', to, text: 'hello' })) === 250;
  const [creator, leaver, owner] = [await server.user(), await server.user(), server.owner];
  const id = await server.emptyChannel(owner, 'rotating', { principals: [creator.userId, leaver.userId] });
  const addresses = {
    creator: await addressOf(creator, id),
    leaver: await addressOf(leaver, id),
    owner: await addressOf(owner, id),
  };
  assert.equal(new Set(Object.values(addresses)).size, 3);
  for (const to of Object.values(addresses)) assert(await works(to));

  await creator.ok('POST', '/users/me/api_key/regenerate');
  assert.equal(await works(addresses.creator), false);
  const renewed = await addressOf(creator, id);
  assert.notEqual(renewed, addresses.creator);
  assert(await works(renewed));

  await owner.ok('DELETE', `/users/${leaver.userId}`);
  assert.equal(await works(addresses.leaver), false);
  assert(await works(addresses.owner));

  await owner.ok('DELETE', `/streams/${id}`);
  assert.equal(await works(addresses.owner), false);
  assert.equal(await works(renewed), false);
});

// rules: mail-20
test('the address of a channel with a bot as sender needs the rights of the user who got it', async () => {
  const creator = await server.user();
  const id = await server.emptyChannel(server.owner, 'for bots', { principals: [creator.userId] });
  const bot = await creator.ok('POST', '/bots', { full_name: 'Mailer', short_name: 'mailer' });
  const { email: to } = await creator.ok('GET', `/streams/${id}/email_address`, { sender_id: bot.user_id });
  assert.equal(await deliver({ from: 'ext@example.org', to, text: 'hello' }), 250);
  assert.equal((await newest(server.owner)).sender_id, bot.user_id);
  const mayPost = (group: unknown) =>
    server.owner.ok('PATCH', `/streams/${id}`, { can_send_message_group: { new: group } });
  await mayPost({ direct_members: [bot.user_id], direct_subgroups: [] });
  assert.equal(await deliver({ from: 'ext@example.org', to, text: 'again' }), 550);
  await mayPost(await systemGroup(server, 'role:members'));
  assert.equal(await deliver({ from: 'ext@example.org', to, text: 'once more' }), 250);
});

// rules: mail-20
test('a former owner of a bot cannot write as the bot any more', async () => {
  const creator = await server.user();
  const id = await server.emptyChannel(server.owner, 'of a former owner', { principals: [creator.userId] });
  const bot = await creator.ok('POST', '/bots', { full_name: 'Handed over', short_name: 'handed-over' });
  const { email: to } = await creator.ok('GET', `/streams/${id}/email_address`, { sender_id: bot.user_id });
  assert.equal(await deliver({ from: 'ext@example.org', to, text: 'hello' }), 250);
  await server.owner.ok('PATCH', `/bots/${bot.user_id}`, { bot_owner_id: server.owner.userId });
  assert.equal(await deliver({ from: 'ext@example.org', to, text: 'again' }), 550);
});

// rules: mail-20
test('only users who may read a channel get an address of it, as themselves or as their bots', async () => {
  const secret = await server.emptyChannel(server.owner, 'hidden', { invite_only: true });
  const open = await server.emptyChannel(server.owner, 'open', {});
  const member = await server.user();
  const guest = await server.user({ role: Role.guest });
  const bot = await server.owner.ok('POST', '/bots', { full_name: 'Theirs', short_name: 'theirs' });
  const elsewhere = await server.organization('elsewhere');
  const get = (caller: TestClient, id: number, fields = {}) =>
    caller.call('GET', `/streams/${id}/email_address`, fields);
  for (const [caller, id, fields] of [
    [member, secret, {}],
    [guest, open, {}],
    [elsewhere, open, {}],
    [member, open, { sender_id: bot.user_id }],
    [member, open, { sender_id: server.owner.userId }],
  ] as const) {
    const { body } = await get(caller, id, fields);
    assert.equal(body.result, 'error', JSON.stringify(body));
  }
  // An address names its organization. That of another organization is a signature for nothing here.
  const { email } = await server.owner.ok('GET', `/streams/${open}/email_address`);
  const other = email.replace(
    /(channel\.)(\d+)/,
    (_: string, kind: string, organization: string) => `${kind}${Number(organization) + 1}`,
  );
  assert.equal(await deliver({ from: 'ext@example.org', to: other, text: 'x' }), 550);
});

// rules: mail-17
test('a reply of a user who lost the conversation is refused with the reason, and a late one, too', async () => {
  const person = await server.user();
  const id = await server.emptyChannel(sender, 'losing', {
    principals: [person.userId],
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const message = await sender.send(id, 'x', `@**${person.name}|${person.userId}** hello`);
  const to = await replyAddressFor(person);
  const mail = { from: person.email, to, text: 'I am still here' };
  await sql`UPDATE messages SET sent_at = sent_at - interval '31 days' WHERE id = ${message}`.execute(server.app.db);
  assert.match(await refusalOf(mail), /^550 5\.7\.1 It is too late/);
  await sql`UPDATE messages SET sent_at = sent_at + interval '31 days' WHERE id = ${message}`.execute(server.app.db);
  await sender.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['losing'], principals: [person.userId] });
  assert.match(await refusalOf(mail), /^550 5\.7\.1 .*you can no longer read the conversation/);
});
