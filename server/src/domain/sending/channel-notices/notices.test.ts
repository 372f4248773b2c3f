import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user({ name: 'Mia Member' });
});
after(() => server.stop());

async function messagesOf(client: TestClient, channel: string, more: object = {}): Promise<Json[]> {
  const narrow = [{ operator: 'channel', operand: channel }];
  const query = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false, ...more };
  return (await client.ok('GET', '/messages', query)).messages;
}

const creator = () => `@_**Olive Owner|${owner.userId}**`;
const said = (kind: string, description: string) =>
  `**${kind}** channel created by ${creator()}. **Description:**\n\`\`\`\` quote\n${description}\n\`\`\`\``;

test('a new channel begins with a message of the notification bot', async () => {
  const subscriptions = [{ name: 'weaving', description: 'Warp *and* weft' }];
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions });
  const [message, ...more] = await messagesOf(owner, 'weaving');
  assert.deepEqual(more, []);
  const { content, subject, client, sender_email, sender_full_name, type, is_me_message } = message;
  assert.deepEqual(
    { content, subject, client, sender_email, sender_full_name, type, is_me_message },
    {
      content: said('Public', 'Warp *and* weft'),
      subject: 'channel events',
      client: 'Internal',
      sender_email: 'notification-bot@zulip.com',
      sender_full_name: 'Notification Bot',
      type: 'stream',
      is_me_message: false,
    },
  );
  const [rendered] = await messagesOf(owner, 'weaving', { apply_markdown: true, client_gravatar: true });
  assert.match(rendered.content, /<span class="user-mention silent" data-user-id="\d+">Olive Owner<\/span>/);
  assert.match(rendered.content, /<blockquote>\n<p>Warp <em>and<\/em> weft<\/p>/);
  assert.equal(typeof rendered.avatar_url, 'string');
  const { stream } = await owner.ok('GET', `/streams/${message.stream_id}`);
  assert.equal(stream.first_message_id, message.id);
});

test('the first message states the channel’s privacy and whether it has a description', async () => {
  const first = async (name: string, fields: object) => {
    await owner.ok('POST', '/channels/create', { name, subscribers: [owner.userId], ...fields });
    const [{ content, subject }] = (await messagesOf(owner, name)) as [Json];
    return [content, subject];
  };
  const none = '*No description.*';
  assert.deepEqual(await first('one', { invite_only: true }), [
    said('Private, protected history', none),
    'channel events',
  ]);
  const shared = { invite_only: true, history_public_to_subscribers: true };
  assert.deepEqual((await first('two', shared))[0], said('Private, shared history', none));
  assert.deepEqual(await first('three', { topics_policy: 'empty_topic_only' }), [said('Public', none), 'general chat']);
});

test('the first message is read for the creator, unread for other subscribers, and mentions nobody', async () => {
  const types = { event_types: ['message'] };
  const queues = [await owner.register(types), await member.register(types)];
  const principals = [owner.userId, member.userId];
  const subscriptions = [{ name: 'shared', description: '@**Mia Member** @**all**' }];
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions, principals });
  const expected = [['read'], []];
  for (const [index, client] of [owner, member].entries()) {
    const [event, ...more] = (await queues[index]?.now()) ?? [];
    assert.deepEqual(more, []);
    assert.deepEqual(event.flags, expected[index]);
    const [message] = await messagesOf(client, 'shared');
    assert.deepEqual([message.id, message.flags], [event.message.id, expected[index]]);
  }
});

test('a creator who is not subscribed sees the first message as historical', async () => {
  await owner.ok('POST', '/channels/create', { name: 'for others', subscribers: [member.userId] });
  const [message] = await messagesOf(owner, 'for others');
  assert.deepEqual(message.flags, ['read', 'historical']);
  assert.deepEqual((await messagesOf(member, 'for others'))[0].flags, []);
});

test('each channel of one request begins with a message, after the event that creates the channel', async () => {
  const queue = await member.register({ event_types: ['stream', 'subscription', 'message'] });
  const subscriptions = Array.from({ length: 40 }, (_, n) => ({ name: `many ${n}`, description: `the ${n}.` }));
  await member.ok('POST', '/users/me/subscriptions', { subscriptions });
  const known = new Set<number>();
  const begun: string[] = [];
  for (const event of await queue.now()) {
    if (event.type === 'stream' && event.op === 'create') known.add(event.streams[0].stream_id);
    if (event.type !== 'message') continue;
    assert(known.has(event.message.stream_id));
    begun.push(event.message.display_recipient);
  }
  assert.deepEqual(
    begun,
    subscriptions.map(({ name }) => name),
  );
});

test('the initial channels of an organization are empty', async () => {
  assert.deepEqual(await messagesOf(owner, 'general'), []);
});

test('a description cannot break out of the quote in the notification bot’s message', async () => {
  for (const end of ['\n', '\r', '\r\n', '\u2028']) {
    const description = ['withoutMarkup', '````', '', '**Look** here', '', '```` quote', 'withoutMarkup'].join(end);
    const name = `quoted ${end.codePointAt(0)} ${end.length}`;
    await member.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name, description }] });
    const narrow = [{ operator: 'channel', operand: name }];
    const parameters = { anchor: 'newest', num_before: 1, num_after: 0, narrow };
    const { messages } = await member.ok('GET', '/messages', parameters);
    assert.match(
      messages[0].content,
      /^<p><strong>Public<\/strong>[^\n]*<\/p>\n<blockquote>\n<p>[^\n]*<\/p>\n<\/blockquote>$/,
    );
  }
});

test('creating a channel sends no direct messages to its subscribers, whatever the request asks for', async () => {
  const queue = await member.register({ event_types: ['message'] });
  const subscribers = [owner.userId, member.userId];
  for (const value of [true, false, undefined]) {
    const name = `told by its first message: ${value}`;
    const asked = value === undefined ? {} : { send_new_subscription_messages: value };
    const answer = await owner.ok('POST', '/channels/create', { name, subscribers, ...asked });
    assert.equal(answer.ignored_parameters_unsupported, undefined);
    const [{ message }] = await queue.take(1);
    assert.deepEqual([message.type, message.display_recipient], ['stream', name]);
  }
});
