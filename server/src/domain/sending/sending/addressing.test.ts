import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { archiveChannel } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { deactivateUser } from '../../accounts/accounts/actions.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let other: TestClient;
let guest: TestClient;
let generalId: number;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user({ name: 'Mem Ber' });
  other = await server.user();
  guest = await server.user({ role: Role.guest });
  generalId = await channelOf(owner, 'plain', { principals: [owner.userId, member.userId] });
});
after(() => server.stop());

async function channelOf(client: TestClient, name: string, more: Fields = {}): Promise<number> {
  await client.subscribe(name, more);
  return (await client.ok('GET', '/get_stream_id', { stream: name })).stream_id;
}

/** Sends a message and returns it as its sender reads it. */
async function sent(client: TestClient, fields: Fields, query: Fields = {}): Promise<Json> {
  const { id } = await client.ok('POST', '/messages', { content: 'hello', ...fields });
  return (await client.ok('GET', `/messages/${id}`, query)).message;
}

// rules: send-1, send-2
test('POST /messages: type is channel or stream; to is an id or name, in any case, quoted or in a list', async () => {
  const spellings: Json[] = ['plain', 'PLAIN', ' plain ', '"plain"', ['plain'], generalId, [generalId]];
  for (const type of ['channel', 'stream']) {
    for (const to of spellings) {
      const message = await sent(member, { type, to, topic: 'spellings' });
      assert.equal(message.type, 'stream', JSON.stringify({ type, to }));
      assert.equal(message.stream_id, generalId);
      assert.equal(message.display_recipient, 'plain');
      assert.equal(message.subject, 'spellings');
    }
  }
});

// rules: send-1, send-2, versions-2
test('POST /messages: type is direct or private; to is ids or email addresses in any spelling', async () => {
  const expected = [member.userId, other.userId];
  const spellings: Json[] = [
    [other.userId],
    [other.userId, other.userId],
    [other.userId, member.userId],
    other.userId,
    [other.email],
    other.email,
    other.email.toUpperCase(),
    `${other.email}, ${member.email}`,
    `"${other.email}"`,
    [`${other.email}`, member.email],
  ];
  const recipients = new Set<number>();
  for (const type of ['direct', 'private']) {
    for (const to of spellings) {
      const message = await sent(member, { type, to });
      assert.equal(message.type, 'private', JSON.stringify({ type, to }));
      assert.deepEqual(
        message.display_recipient.map((person: Json) => person.id),
        expected,
      );
      assert.equal(message.subject, '');
      assert.equal('stream_id' in message, false);
      recipients.add(message.recipient_id);
    }
  }
  assert.equal(recipients.size, 1);
});

test('POST /messages accepts multipart forms like URL-encoded ones', async () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ type: 'private', to: `["${other.email}"]`, content: 'from zulip-js' })) {
    form.append(name, value);
  }
  const authorization = `Basic ${Buffer.from(`${member.email}:${member.apiKey}`).toString('base64')}`;
  const answer = await fetch(`${server.url}/api/v1/messages`, {
    method: 'POST',
    body: form,
    headers: { authorization },
  });
  const { id } = (await answer.json()) as Json;
  const { message } = await other.ok('GET', `/messages/${id}`, { apply_markdown: false });
  assert.equal(message.content, 'from zulip-js');
});

// rules: send-2
test('POST /messages refuses unknown types, no recipients, two channels and mixed lists', async () => {
  const content = 'x';
  const missing = await member.fails('POST', '/messages', { to: [1], content });
  assert.deepEqual([missing.code, missing.var_name], ['REQUEST_VARIABLE_MISSING', 'type']);
  const unknown = await member.fails('POST', '/messages', { type: 'shout', to: 'plain', topic: 'a', content });
  assert.deepEqual([unknown.code, unknown.msg], ['BAD_REQUEST', 'Invalid type']);
  for (const to of [[], '', ' , ']) {
    const body = await member.fails('POST', '/messages', { type: 'direct', to, content });
    assert.equal(body.msg, 'Message must have recipients', JSON.stringify(to));
  }
  const two = await member.fails('POST', '/messages', { type: 'channel', to: ['plain', 'other'], topic: 'a', content });
  assert.equal(two.msg, 'Expected exactly one channel');
  const mixed = await member.fails('POST', '/messages', { type: 'direct', to: [other.userId, other.email], content });
  assert.equal(mixed.code, 'BAD_REQUEST');
  const noTo = await member.fails('POST', '/messages', { type: 'direct', content });
  assert.deepEqual([noTo.code, noTo.var_name], ['REQUEST_VARIABLE_MISSING', 'to']);
  const noContent = await member.fails('POST', '/messages', { type: 'direct', to: [other.userId] });
  assert.deepEqual([noContent.code, noContent.var_name], ['REQUEST_VARIABLE_MISSING', 'content']);
});

// rules: send-3, versions-2
test('POST /messages requires a topic for channels, accepts the older name subject, and refuses both', async () => {
  const request = { type: 'channel', to: 'plain', content: 'x' };
  assert.equal((await sent(member, { ...request, subject: 'older' })).subject, 'older');
  const missing = await member.fails('POST', '/messages', request);
  assert.deepEqual([missing.code, missing.msg], ['BAD_REQUEST', 'Missing topic']);
  const both = await member.fails('POST', '/messages', { ...request, topic: 'a', subject: 'b' });
  assert.equal(both.code, 'REQUEST_CONFUSING_VAR');
});

// rules: send-3
test('POST /messages: a direct message ignores its topic', async () => {
  const message = await sent(member, { type: 'direct', to: [other.userId], topic: 'no matter' });
  assert.equal(message.subject, '');
});

// rules: conventions-5
test('parameters that the endpoint does not have are returned in ignored_parameters_unsupported', async () => {
  const answer = await member.ok('POST', '/messages', {
    type: 'direct',
    to: [other.userId],
    content: 'x',
    sender: 'nobody',
    forged: true,
  });
  assert.deepEqual(answer.ignored_parameters_unsupported, ['forged', 'sender']);
  const plain = await member.ok('POST', '/messages', { type: 'direct', to: [other.userId], content: 'x', client: 'c' });
  assert.equal('ignored_parameters_unsupported' in plain, false);
});

// rules: send-10, errors-4
test('an unknown channel is refused with STREAM_DOES_NOT_EXIST and the given name or id', async () => {
  const request = { type: 'channel', topic: 'a', content: 'x' };
  const byName = await member.fails('POST', '/messages', { ...request, to: 'nowhere' });
  assert.deepEqual([byName.code, byName.stream, 'stream_id' in byName], ['STREAM_DOES_NOT_EXIST', 'nowhere', false]);
  const byId = await member.fails('POST', '/messages', { ...request, to: 987654 });
  assert.deepEqual([byId.code, byId.stream_id, 'stream' in byId], ['STREAM_DOES_NOT_EXIST', 987654, false]);
});

// rules: send-10
test('channels without metadata access are not found: private ones, all for guests, and other organizations’', async () => {
  const secretId = await channelOf(owner, 'secret', { invite_only: true });
  const stranger = await server.organization('faraway');
  const farId = await channelOf(stranger, 'far');
  const attempts: [TestClient, number | string][] = [
    [member, secretId],
    [member, 'secret'],
    [guest, generalId],
    [guest, 'plain'],
    [member, farId],
    [member, 'far'],
  ];
  for (const [client, to] of attempts) {
    const body = await client.fails('POST', '/messages', { type: 'channel', to, topic: 'a', content: 'x' });
    const known = typeof to === 'number' ? body.stream_id : body.stream;
    assert.deepEqual([body.code, known], ['STREAM_DOES_NOT_EXIST', to]);
  }
  await owner.send('secret', 'a', 'its subscriber may');
  await owner.subscribe('secret', { principals: [guest.userId] });
  await guest.send('secret', 'a', 'and a guest who is one');
});

test('members can post to public channels without being subscribed', async () => {
  assert.equal((await sent(other, { type: 'channel', to: 'plain', topic: 'a' })).stream_id, generalId);
});

test('an administrator has metadata access to a private channel but cannot post to it', async () => {
  const admin = await server.user({ role: Role.administrator });
  const id = await channelOf(member, 'members only', { invite_only: true });
  const body = await admin.fails('POST', '/messages', { type: 'channel', to: id, topic: 'a', content: 'x' });
  assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', "Not authorized to send to channel 'members only'"]);
});

// rules: send-15
test('posting to an archived channel is refused', async () => {
  const id = await channelOf(owner, 'finished');
  await owner.send(id, 'a', 'the last words');
  await archiveChannel(server, id);
  const body = await owner.fails('POST', '/messages', { type: 'channel', to: id, topic: 'a', content: 'x' });
  assert.equal(body.msg, "Not authorized to send to channel 'finished'");
});

// rules: send-11
test('unknown, deactivated and foreign recipients are refused with BAD_REQUEST', async () => {
  const gone = await server.user();
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, gone.userId);
  const stranger = await server.organization('strangers');
  const messages: [Json, string][] = [
    [[987654], 'Invalid user ID 987654'],
    [[stranger.userId], `Invalid user ID ${stranger.userId}`],
    ['nobody@example.com', "Invalid email 'nobody@example.com'"],
    [[stranger.email], `Invalid email '${stranger.email}'`],
    [[gone.userId], `'${gone.email}' is no longer using Zulip.`],
    [[other.userId, gone.userId], `'${gone.email}' is no longer using Zulip.`],
  ];
  for (const [to, msg] of messages) {
    const body = await member.fails('POST', '/messages', { type: 'direct', to, content: 'x' });
    assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', msg]);
  }
});

// rules: message-fields-12
test('a conversation has one recipient_id for both users', async () => {
  const outgoing = await sent(member, { type: 'direct', to: [other.userId] });
  const incoming = await sent(other, { type: 'direct', to: [member.userId] });
  assert.equal(incoming.recipient_id, outgoing.recipient_id);
  const toOwner = await sent(member, { type: 'direct', to: [owner.userId] });
  assert.notEqual(toOwner.recipient_id, outgoing.recipient_id);
  assert.notEqual(
    (await sent(member, { type: 'channel', to: 'plain', topic: 'a' })).recipient_id,
    outgoing.recipient_id,
  );
});

// rules: send-9
test('a direct message to oneself, to one user or to a group reaches only its participants', async () => {
  const everyone = [owner, member, other, guest];
  const groups = [[member], [member, other], [member, other, guest]];
  const queues = await Promise.all(everyone.map((client) => client.register({ event_types: ['message'] })));
  const ids: number[] = [];
  for (const group of groups)
    ids.push(
      await member.direct(
        group.map((client) => client.userId),
        'just us',
      ),
    );
  for (const [index, client] of everyone.entries()) {
    const expected = ids.filter((_, group) => groups[group]?.includes(client));
    const events = await queues[index]?.now();
    assert.deepEqual(
      events?.map((event) => event.message.id),
      expected,
    );
    for (const [group, id] of ids.entries()) {
      if (groups[group]?.includes(client)) await client.ok('GET', `/messages/${id}`);
      else await client.fails('GET', `/messages/${id}`);
    }
  }
  const { message } = await guest.ok('GET', `/messages/${ids[2]}`);
  assert.deepEqual(
    message.display_recipient,
    [member, other, guest].map(({ userId, email, name }) => ({
      id: userId,
      email,
      full_name: name,
      is_mirror_dummy: false,
    })),
  );
});
