import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { systemGroup } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { deactivateUser } from '../../accounts/accounts/actions.ts';

let server: TestServer;
let owner: TestClient;
let administrator: TestClient;
/** `host` creates the channels, and so administers them. */
let host: TestClient;
let member: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.user({ role: Role.administrator });
  host = await server.user({ name: 'Host' });
  member = await server.user({ name: 'Member' });
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

let made = 0;
const newName = () => `changing ${++made}`;

/** Creates a channel of the host without messages. */
async function channel(fields: Fields = {}): Promise<{ id: number; name: string }> {
  const name = newName();
  return { name, id: await server.emptyChannel(host, name, fields) };
}

const change = (client: TestClient, id: number, fields: Fields) => client.ok('PATCH', `/streams/${id}`, fields);
const refused = (client: TestClient, id: number, fields: Fields) => client.fails('PATCH', `/streams/${id}`, fields);
const current = async (id: number) => (await owner.ok('GET', `/streams/${id}`)).stream;
const withoutId = ({ id: _, ...event }: Json) => event;

/** Returns the messages of the channel, newest last. */
async function said(id: number): Promise<Json[]> {
  const narrow = [{ operator: 'channel', operand: id }];
  const query = { anchor: 'newest', num_before: 50, num_after: 0, narrow, apply_markdown: false };
  return (await host.ok('GET', '/messages', query)).messages;
}

// rules: channels-14
test('a channel administrator renames a channel: the event has both names, and the notification bot posts a notice', async () => {
  const { id, name } = await channel();
  const queue = await member.register({ event_types: ['stream'] });
  const renamed = newName();
  await change(host, id, { new_name: ` ${renamed} ` });
  assert.deepEqual((await queue.now()).map(withoutId)[0], {
    type: 'stream',
    op: 'update',
    stream_id: id,
    name,
    property: 'name',
    value: renamed,
  });
  const [notice] = await said(id);
  assert.equal(notice.subject, 'channel events');
  assert.equal(notice.display_recipient, renamed);
  assert.equal(notice.sender_email, 'notification-bot@zulip.com');
  assert.equal(notice.content, `@_**Host|${host.userId}** renamed this channel from **${name}** to **${renamed}**.`);
  assert(notice.flags.includes('read'), 'the user who renames the channel has read the notice');
  await member.send(renamed, 'topic', 'by its new name');
  await member.fails('GET', '/get_stream_id', { stream: name });
});

test('a name taken by another channel, hidden or not, is refused; another case of the same name is accepted', async () => {
  const { id, name } = await channel();
  const { name: taken } = await channel({ invite_only: true });
  const answer = await administrator.fails('PATCH', `/streams/${id}`, { new_name: taken.toUpperCase() }, 409);
  assert.deepEqual([answer.code, answer.channel_name], ['CHANNEL_ALREADY_EXISTS', taken.toUpperCase()]);
  assert.equal((await refused(host, id, { new_name: name })).msg, 'Channel already has that name.');
  assert.equal((await refused(host, id, { new_name: ' ' })).msg, "Channel name can't be empty.");
  await change(host, id, { new_name: name.toUpperCase() });
  assert.equal((await current(id)).name, name.toUpperCase());
});

test('a channel name cannot inject markup into the notice of renaming', async () => {
  const { id } = await channel();
  await change(host, id, { new_name: `${newName()}** [link](http://evil.example) @**all** **` });
  const [notice] = await said(id);
  assert(!/\]\(|@\*\*all/.test(notice.content), notice.content);
});

test('a description is rendered, and the notice quotes the old and the new one', async () => {
  const { id } = await channel();
  const queue = await member.register({ event_types: ['stream'] });
  await change(host, id, { description: 'for **weavers**\nonly' });
  const [event] = await queue.now();
  assert.deepEqual([event.property, event.value], ['description', 'for **weavers** only']);
  assert.match(event.rendered_description, /<strong>weavers<\/strong>/);
  assert.equal((await current(id)).rendered_description, event.rendered_description);
  const [notice] = await said(id);
  assert.match(notice.content, /\*No description\.\*[\s\S]*for \*\*weavers\*\* only/);
  await change(host, id, { description: 'for **weavers** only' });
  assert.equal((await said(id)).length, 1, 'an unchanged description posts no notice');
  assert.match((await refused(host, id, { description: 'x'.repeat(1025) })).msg, /description is too long/);
});

// rules: channels-19
test('users who are not channel administrators are refused, and those without metadata access get "Invalid channel ID"', async () => {
  const { id } = await channel();
  const answer = await refused(member, id, { description: 'mine' });
  assert.deepEqual(
    [answer.code, answer.msg],
    ['CANNOT_ADMINISTER_CHANNEL', 'You do not have permission to administer this channel.'],
  );
  assert.equal((await refused(guest, id, { description: 'mine' })).msg, 'Invalid channel ID');
  const hidden = await channel({ invite_only: true });
  assert.equal((await refused(member, hidden.id, { description: 'mine' })).msg, 'Invalid channel ID');
  assert.equal((await refused(owner, 999_999, { description: 'mine' })).msg, 'Invalid channel ID');
});

test('an administrator without content access edits a private channel’s description, but not who can read it', async () => {
  const { id } = await channel({ invite_only: true });
  await change(administrator, id, { description: 'hidden' });
  const members = await systemGroup(server, 'role:members');
  for (const fields of [
    { is_private: false },
    { history_public_to_subscribers: true },
    { can_subscribe_group: { new: members } },
    { can_add_subscribers_group: { new: members } },
  ]) {
    assert.equal((await refused(administrator, id, fields)).msg, 'Channel content access is required.');
  }
  await change(administrator, id, { can_send_message_group: { new: members } });
});

test('making a channel private protects its history by default, and making it public shares the history', async () => {
  const { id } = await channel();
  const queue = await member.register({ event_types: ['stream'] });
  await change(host, id, { is_private: true });
  assert.deepEqual(
    (await queue.now()).map(({ op }) => op),
    ['delete'],
  );
  const protectedChannel = await current(id);
  assert.deepEqual([protectedChannel.invite_only, protectedChannel.history_public_to_subscribers], [true, false]);
  await change(host, id, { history_public_to_subscribers: true });
  await change(host, id, { is_private: false });
  assert.equal((await current(id)).invite_only, false);
  assert.deepEqual(
    (await queue.now()).filter(({ property }) => property !== 'first_message_id').map(({ op }) => op),
    ['create'],
  );
  const texts = (await said(id)).map(({ content }) => content.match(/from .*/)[0]);
  assert.deepEqual(texts, [
    'from **Public** to **Private, protected history**.',
    'from **Private, protected history** to **Private, shared history**.',
    'from **Private, shared history** to **Public**.',
  ]);
});

test('contradictory privacy settings are refused', async () => {
  const { id } = await channel();
  for (const fields of [
    { history_public_to_subscribers: false },
    { is_private: true, is_web_public: true },
    { is_web_public: true, history_public_to_subscribers: false },
  ]) {
    assert.equal((await refused(host, id, fields)).msg, 'Invalid parameters');
  }
  assert.equal((await refused(host, id, { is_web_public: true })).msg, 'Web-public channels are not enabled.');
  const private_default = { is_private: true, is_default_stream: true };
  assert.equal((await refused(owner, id, private_default)).msg, 'A default channel cannot be private.');
});

// rules: reports-3
test('the channel for moderation requests must stay private', async () => {
  const { id } = await channel({ invite_only: true, principals: [host.userId, owner.userId] });
  await owner.ok('PATCH', '/realm', { moderation_request_channel_id: id });
  for (const fields of [{ is_private: false }, { is_private: false, history_public_to_subscribers: true }]) {
    assert.equal((await refused(owner, id, fields)).msg, 'Moderation request channel must be private.');
    assert.equal((await refused(host, id, fields)).msg, 'Moderation request channel must be private.');
  }
  await change(host, id, { history_public_to_subscribers: true, description: 'still private' });
  await owner.ok('PATCH', '/realm', { moderation_request_channel_id: -1 });
  await change(host, id, { is_private: false });
});

// rules: subscriptions-13
test('setting a topics policy requires the organization’s permission, except for inherit', async () => {
  const { id } = await channel();
  const mayDecide = async (group: `role:${string}`) =>
    owner.ok('PATCH', '/realm', { can_set_topics_policy_group: { new: await systemGroup(server, group) } });
  await mayDecide('role:moderators');
  assert.equal((await refused(host, id, { topics_policy: 'disable_empty_topic' })).msg, 'Insufficient permission');
  await change(owner, id, { topics_policy: 'disable_empty_topic' });
  await change(host, id, { topics_policy: 'inherit' });
  assert.equal((await current(id)).topics_policy, 'inherit');
  await mayDecide('role:members');
});

test('a user who cannot create private channels cannot make a channel private', async () => {
  const { id } = await channel();
  const administrators = await systemGroup(server, 'role:administrators');
  const members = await systemGroup(server, 'role:members');
  await owner.ok('PATCH', '/realm', { can_create_private_channel_group: { new: administrators } });
  assert.equal((await refused(host, id, { is_private: true })).msg, 'Insufficient permission');
  await change(administrator, id, { is_private: true });
  await owner.ok('PATCH', '/realm', { can_create_private_channel_group: { new: members } });
});

test('a request with one refused field changes nothing', async () => {
  const { id, name } = await channel();
  const queue = await member.register({ event_types: ['stream', 'message'] });
  await refused(host, id, { new_name: newName(), description: 'new', is_private: true, is_archived: false });
  await refused(host, id, { new_name: newName(), message_retention_days: 'unlimited' });
  const { description, invite_only, name: kept } = await current(id);
  assert.deepEqual([kept, description, invite_only], [name, '', false]);
  assert.deepEqual(await queue.now(), []);
});

test('only organization administrators make a channel a default channel', async () => {
  const { id } = await channel();
  const msg = 'You do not have permission to change default channels.';
  assert.equal((await refused(host, id, { is_default_stream: true })).msg, msg);
  const queue = await member.register({ event_types: ['default_streams', 'stream'] });
  await change(administrator, id, { is_default_stream: true });
  const events = await queue.now();
  assert.deepEqual(
    events.map(({ type }) => type),
    ['default_streams'],
  );
  assert(events[0].default_streams.includes(id));
});

// rules: subscriptions-11
test('owners set the message retention', async () => {
  const { id } = await channel();
  const queue = await member.register({ event_types: ['stream'] });
  await change(owner, id, { message_retention_days: 'unlimited' });
  const [event] = await queue.now();
  assert.deepEqual([event.property, event.value], ['message_retention_days', -1]);
  await change(owner, id, { message_retention_days: 'realm_default' });
  assert.equal((await current(id)).message_retention_days, null);
  await change(owner, id, { message_retention_days: 30 });
  assert.equal((await current(id)).message_retention_days, 30);
  const notices = (await said(id)).map(({ content }) => content.split('\n'));
  const [line = '', , before, after, , announced] = notices.at(-1) ?? [];
  assert.match(line, /^@_\*\*.*\*\* changed how long messages of this channel are kept:$/);
  assert.deepEqual(
    [before, after, announced],
    [
      '* **Old**: Forever',
      '* **New**: 30 days',
      'From now on, messages in this channel are deleted 30 days after they were sent.',
    ],
  );
  assert.match((await refused(owner, id, { message_retention_days: 'soon' })).msg, /^Bad value/);
  assert.equal(
    (await refused(administrator, id, { message_retention_days: 'unlimited' })).code,
    'UNAUTHORIZED_PRINCIPAL',
  );
});

// rules: channels-10
test('topics_policy empty_topic_only requires that all messages have the empty topic, and its notice has it too', async () => {
  const { id, name } = await channel();
  await host.send(name, 'named', 'one');
  const { result, ...refusal } = await refused(host, id, { topics_policy: 'empty_topic_only' });
  assert.deepEqual(refusal, {
    msg: 'To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.',
    code: 'BAD_REQUEST',
    empty_topic_display_name: 'general chat',
  });
  const other = await channel();
  await host.send(other.name, '', 'one');
  const queue = await member.register({ event_types: ['stream'] });
  await change(host, other.id, { topics_policy: 'empty_topic_only' });
  const [event] = await queue.now();
  assert.deepEqual([event.property, event.value], ['topics_policy', 'empty_topic_only']);
  assert.deepEqual(
    (await said(other.id)).map(({ subject }) => subject),
    ['', ''].map(() => 'general chat'),
  );
  await change(host, other.id, { topics_policy: 'empty_topic_only' });
  assert.equal((await said(other.id)).length, 2);
});

// rules: channels-5
test('changing who can post sends a notice, and also the properties of older clients', async () => {
  const { id } = await channel();
  const queue = await member.register({ event_types: ['stream'] });
  const administrators = await systemGroup(server, 'role:administrators');
  await change(host, id, { can_send_message_group: { new: administrators } });
  const properties = (await queue.now()).map(({ property, value }) => [property, value]);
  assert.deepEqual(properties.slice(0, 3), [
    ['can_send_message_group', administrators],
    ['stream_post_policy', 2],
    ['is_announcement_only', true],
  ]);
  const [notice] = await said(id);
  assert.match(notice.content, /\*\*Old\*\*: @_\*role:everyone\*\n\* \*\*New\*\*: @_\*role:administrators\*/);
  const { stream_post_policy } = await current(id);
  assert.equal(stream_post_policy, 2);
});

// rules: channels-14
test('a permission change is refused when its old value does not match', async () => {
  const { id } = await channel();
  const moderators = await systemGroup(server, 'role:moderators');
  const members = await systemGroup(server, 'role:members');
  const wrong = { new: members, old: moderators };
  assert.equal((await refused(host, id, { can_remove_subscribers_group: wrong })).code, 'EXPECTATION_MISMATCH');
  const administrators = await systemGroup(server, 'role:administrators');
  await change(host, id, { can_remove_subscribers_group: { new: moderators, old: administrators } });
  assert.equal((await current(id)).can_remove_subscribers_group, moderators);
  const everyone = await systemGroup(server, 'role:everyone');
  assert.match(
    (await refused(host, id, { can_subscribe_group: { new: everyone } })).msg,
    /cannot be set to 'role:everyone'/,
  );
});

// rules: channels-4
test('a permission grants and revokes metadata access to a private channel, and sends create and delete events', async () => {
  const { id } = await channel({ invite_only: true });
  const all = {
    member: await member.register({ event_types: ['stream', 'subscription'] }),
    guest: await guest.register({ event_types: ['stream', 'subscription'] }),
    administrator: await administrator.register({ event_types: ['stream', 'subscription'] }),
  };
  const received = async () => {
    const entries = Object.entries(all).map(async ([who, queue]) => {
      return [who, (await queue.now()).map(({ type, op }) => `${type} ${op}`)] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  const members = await systemGroup(server, 'role:members');
  const nobody = await systemGroup(server, 'role:nobody');
  await change(host, id, { can_subscribe_group: { new: members } });
  assert.deepEqual(await received(), {
    member: ['stream create', 'subscription peer_add'],
    guest: [],
    administrator: ['stream update'],
  });
  await change(host, id, { can_subscribe_group: { new: nobody } });
  assert.deepEqual(await received(), { member: ['stream delete'], guest: [], administrator: ['stream update'] });
});

test('events of permissions name no deactivated accounts', async () => {
  const { id } = await channel();
  const leaver = await server.user();
  const people = (...direct_members: number[]) => ({ new: { direct_members, direct_subgroups: [] } });
  await change(host, id, { can_remove_subscribers_group: people(host.userId, leaver.userId) });
  const queue = await member.register({ event_types: ['stream'] });
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  await deactivateUser(server.app, organization, leaver.userId);
  assert.match((await refused(host, id, { can_send_message_group: people(leaver.userId) })).msg, /Invalid user ID/);
  await change(host, id, { can_remove_subscribers_group: people(host.userId) });
  assert.deepEqual(await queue.now(), [], 'clients already have this value');
  await change(host, id, { can_remove_subscribers_group: people(host.userId, member.userId) });
  assert.deepEqual((await queue.now())[0].value.direct_members, [host.userId, member.userId]);
});
