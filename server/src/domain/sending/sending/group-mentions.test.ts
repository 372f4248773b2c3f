import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import { systemGroup } from '../../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let ada: TestClient;
let bob: TestClient;
let cleo: TestClient;
let outsider: TestClient;
before(async () => {
  server = await startTestServer();
  ada = await server.user();
  bob = await server.user();
  cleo = await server.user();
  outsider = await server.user();
  await server.emptyChannel(ada, 'loom', { principals: [ada.userId, bob.userId, cleo.userId] });
});
after(() => server.stop());

async function create(name: string, more: Fields = {}): Promise<number> {
  return (await ada.ok('POST', '/user_groups/create', { name, description: '', members: [], ...more })).group_id;
}

async function flags(client: TestClient, id: number): Promise<string[]> {
  return (await client.ok('GET', `/messages/${id}`)).message.flags.filter((flag: string) => flag !== 'read');
}

const rendered = async (id: number) => (await ada.ok('GET', `/messages/${id}`)).message.content;
const refusal = async (client: TestClient, content: string) =>
  (await client.fails('POST', '/messages', { type: 'channel', to: 'loom', topic: 't', content })).msg;

// rules: user-groups-10
test('a group mention flags the members who receive the message, also members of subgroups', async () => {
  const inner = await create('inner', { members: [cleo.userId] });
  const group = await create('weavers', { members: [bob.userId, outsider.userId], subgroups: [inner] });
  const queues = await Promise.all([bob, cleo, ada].map((client) => client.register({ event_types: ['message'] })));
  const id = await ada.send('loom', 't', 'Dear @*weavers*');
  const span = `<span class="user-group-mention" data-user-group-id="${group}">@weavers</span>`;
  assert.equal(await rendered(id), `<p>Dear ${span}</p>`);
  const received = await Promise.all(queues.map((queue) => queue.now()));
  const mentioned = received.map(([event]) => event.flags.includes('mentioned'));
  assert.deepEqual(mentioned, [true, true, false]);
  assert.deepEqual(await Promise.all([bob, cleo, ada].map((client) => flags(client, id))), [
    ['mentioned'],
    ['mentioned'],
    [],
  ]);
  assert(!(await flags(outsider, id)).includes('mentioned'));
  const { unread_msgs } = (await bob.register({ event_types: ['message', 'update_message_flags'] })).state;
  assert(unread_msgs.mentions.includes(id));
});

test('silent mentions, quoted mentions and mentions of deactivated groups flag no users', async () => {
  const id = await create('dyers', { members: [bob.userId] });
  for (const content of ['@_*dyers*', '> @*dyers*']) {
    assert.deepEqual(await flags(bob, await ada.send('loom', 't', content)), []);
  }
  await ada.ok('POST', `/user_groups/${id}/deactivate`);
  const message = await ada.send('loom', 't', '@*dyers*');
  assert.deepEqual(await flags(bob, message), []);
  assert.equal(
    await rendered(message),
    `<p><span class="user-group-mention silent" data-user-group-id="${id}">dyers</span></p>`,
  );
});

// rules: user-groups-9
test('mentioning requires the group’s permission; silent mentions do not', async () => {
  const only = { direct_members: [bob.userId], direct_subgroups: [] };
  await create('spinners', { members: [cleo.userId], can_mention_group: only });
  assert.equal(await refusal(ada, '@*spinners*'), "You are not allowed to mention user group 'spinners'.");
  assert.deepEqual(await flags(cleo, await ada.send('loom', 't', '@_*spinners*')), []);
  assert.deepEqual(await flags(cleo, await bob.send('loom', 't', '@*spinners*')), ['mentioned']);
});

test('system groups cannot be mentioned, and a silent mention shows their display name', async () => {
  const members = await systemGroup(server, 'role:members');
  const words = "You are not allowed to mention user group 'role:members'.";
  for (const client of [ada, server.owner]) {
    const message = { type: 'direct', to: [bob.userId], content: '@*role:members*' };
    assert.equal((await client.fails('POST', '/messages', message)).msg, words);
  }
  assert.equal(
    await rendered(await ada.send('loom', 't', '@_*role:members*')),
    `<p><span class="user-group-mention silent" data-user-group-id="${members}">Members</span></p>`,
  );
});

// rules: user-groups-10
test('a group mention in a direct message flags the members in the conversation', async () => {
  await create('carders', { members: [bob.userId, cleo.userId] });
  const id = await ada.direct([bob.userId], '@*carders*');
  assert.deepEqual(await flags(bob, id), ['mentioned']);
  assert.deepEqual(await flags(ada, id), []);
});

test('a mention of an unknown group is plain text', async () => {
  assert.equal(await rendered(await ada.send('loom', 't', '@*nobody at all*')), '<p>@<em>nobody at all</em></p>');
});
