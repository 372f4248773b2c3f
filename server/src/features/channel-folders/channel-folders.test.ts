import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { Fields, TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let administrator: TestClient;
let moderator: TestClient;
let guest: TestClient;
before(async () => {
  server = await startTestServer();
  administrator = await server.user({ role: Role.administrator });
  moderator = await server.user({ role: Role.moderator });
  guest = await server.user({ role: Role.guest });
});
after(() => server.stop());

const create = async (name: string, description = ''): Promise<number> =>
  (await administrator.ok('POST', '/channel_folders/create', { name, description })).channel_folder_id;
const list = async (client: TestClient, fields: Fields = {}): Promise<Json[]> =>
  (await client.ok('GET', '/channel_folders', fields)).channel_folders;
const find = async (id: number) => (await list(guest, { include_archived: true })).find((one) => one.id === id);

// rules: channel-folders-1, channel-folders-4, channel-folders-7
test('an administrator can create a folder, and all users receive an event, including guests', async () => {
  const queue = await guest.register({ event_types: ['channel_folder'] });
  const id = await create('  Front  ', 'for **all**');
  const folder = await find(id);
  assert.deepEqual(
    [folder.name, folder.description, folder.creator_id, folder.is_archived],
    ['Front', 'for **all**', administrator.userId, false],
  );
  assert.match(folder.rendered_description, /<strong>all<\/strong>/);
  const [event] = await queue.now();
  assert.deepEqual([event.op, event.channel_folder], ['add', folder]);
});

// rules: channel-folders-1, errors-8
test('only administrators and owners can change folders', async () => {
  const id = await create('guarded');
  const attempts: [string, string, Fields][] = [
    ['POST', '/channel_folders/create', { name: 'mine', description: '' }],
    ['PATCH', `/channel_folders/${id}`, { name: 'mine' }],
    ['PATCH', '/channel_folders', { order: [id] }],
  ];
  for (const [method, path, fields] of attempts) {
    for (const client of [moderator, await server.user(), guest]) {
      const { code, msg } = await client.fails(method, path, fields);
      assert.deepEqual([code, msg], ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']);
    }
  }
  await server.owner.ok('PATCH', `/channel_folders/${id}`, { name: 'the owner’s' });
});

// rules: channel-folders-2, limits-1
test('a name has 1 to 60 printable characters, and is unique ignoring case, also among archived folders', async () => {
  const named = await create('has a name');
  /** The same for a new and for an existing folder. */
  const refused = async (name: string) => {
    const made = await administrator.fails('POST', '/channel_folders/create', { name, description: '' });
    const changed = await administrator.fails('PATCH', `/channel_folders/${named}`, { name });
    assert.deepEqual([made.code, changed.code, changed.msg], ['BAD_REQUEST', 'BAD_REQUEST', made.msg]);
    return made.msg;
  };
  assert.equal(await refused(' '), "Channel folder name can't be empty.");
  assert.equal(await refused('x'.repeat(61)), 'name is too long (limit: 60 characters)');
  assert.equal(await refused('a\u0007'), 'Invalid character in channel folder name, at position 2.');
  const id = await create('Unique');
  await administrator.ok('PATCH', `/channel_folders/${id}`, { is_archived: true });
  assert.equal(await refused('uNIQUE'), 'Channel folder name already in use');
  await administrator.ok('PATCH', `/channel_folders/${id}`, { name: 'UNIQUE' });
  assert.equal((await find(named)).name, 'has a name');
});

// rules: channel-folders-3
test('a description is required, can be empty, and has at most 1024 characters', async () => {
  const missing = await administrator.fails('POST', '/channel_folders/create', { name: 'without' });
  assert.deepEqual([missing.code, missing.var_name], ['REQUEST_VARIABLE_MISSING', 'description']);
  const long = { name: 'long', description: 'x'.repeat(1025) };
  const { msg } = await administrator.fails('POST', '/channel_folders/create', long);
  assert.equal(msg, 'description is too long (limit: 1024 characters)');
  const id = await create('empty', '');
  const { description } = long;
  const changed = await administrator.fails('PATCH', `/channel_folders/${id}`, { description });
  assert.equal(changed.msg, msg);
  await administrator.ok('PATCH', `/channel_folders/${id}`, { description: 'full' });
  await administrator.ok('PATCH', `/channel_folders/${id}`, { description: '' });
  assert.equal((await find(id)).description, '');
});

// rules: channel-folders-7
test('an event contains only the changed properties of a folder', async () => {
  const id = await create('to change', 'before');
  const queue = await moderator.register({ event_types: ['channel_folder'] });
  await administrator.ok('PATCH', `/channel_folders/${id}`, {
    name: 'changed',
    description: 'after',
    is_archived: false,
  });
  const [event] = await queue.now();
  assert.deepEqual(
    [event.op, event.channel_folder_id, event.data],
    ['update', id, { name: 'changed', description: 'after', rendered_description: '<p>after</p>' }],
  );
  await administrator.ok('PATCH', `/channel_folders/${id}`, { name: 'changed', description: 'after' });
  assert.deepEqual(await queue.now(), []);
});

// rules: channel-folders-8
test('an unknown folder id is refused with BAD_REQUEST', async () => {
  for (const id of [999_999, 2 ** 40, 0]) {
    const { code, msg } = await administrator.fails('PATCH', `/channel_folders/${id}`, { name: 'x' });
    assert.deepEqual([code, msg], ['BAD_REQUEST', 'Invalid channel folder ID']);
  }
});

// rules: channels-12
test('a channel can be added to a folder at creation and later, and removed; users with access receive events', async () => {
  const id = await create('with channels');
  const made = await moderator.ok('POST', '/channels/create', { name: 'in folder', subscribers: [], folder_id: id });
  assert.equal((await moderator.ok('GET', `/streams/${made.id}`)).stream.folder_id, id);
  await moderator.subscribe('subscribed in folder', { folder_id: id });
  const queue = await administrator.register({ event_types: ['stream'] });
  const path = `/streams/${made.id}`;
  await moderator.ok('PATCH', path, { folder_id: null });
  await moderator.ok('PATCH', path, { folder_id: id });
  const updates = (await queue.now()).map(({ op, property, value }) => [op, property, value]);
  assert.deepEqual(updates, [
    ['update', 'folder_id', null],
    ['update', 'folder_id', id],
  ]);
  for (const fields of [{ folder_id: 999_999 }, { folder_id: 2 ** 40 }]) {
    assert.equal((await moderator.fails('PATCH', path, fields)).msg, 'Invalid channel folder ID');
  }
  const refused = await moderator.fails('POST', '/channels/create', { name: 'x', subscribers: [], folder_id: 999_999 });
  assert.equal(refused.msg, 'Invalid channel folder ID');
});

// rules: channel-folders-5, channel-folders-6
test('a folder can be archived if it has no channels, takes none while archived, and takes them again afterwards', async () => {
  const id = await create('to archive');
  const made = await moderator.ok('POST', '/channels/create', { name: 'blocking', subscribers: [], folder_id: id });
  const path = `/channel_folders/${id}`;
  const { msg } = await administrator.fails('PATCH', path, { is_archived: true });
  assert.equal(msg, 'You need to remove all the channels from this folder to archive it.');
  await moderator.ok('PATCH', `/streams/${made.id}`, { folder_id: null });
  await administrator.ok('PATCH', path, { is_archived: true });
  assert(!(await list(guest)).some((folder) => folder.id === id));
  assert.equal((await find(id)).is_archived, true);
  const refused = await moderator.fails('PATCH', `/streams/${made.id}`, { folder_id: id });
  assert.equal(refused.msg, 'Channel folder is archived.');
  await administrator.ok('PATCH', path, { is_archived: false });
  await moderator.ok('PATCH', `/streams/${made.id}`, { folder_id: id });
});

// rules: channel-folders-6
test('folders are listed in their order, and a new order must name all of them', async () => {
  await create('last');
  const ids = (await list(guest, { include_archived: true })).map(({ id }) => id);
  const queue = await guest.register({ event_types: ['channel_folder'] });
  const order = ids.toReversed();
  await administrator.ok('PATCH', '/channel_folders', { order });
  const folders = await list(guest, { include_archived: true });
  assert.deepEqual(
    folders.map((folder) => [folder.id, folder.order]),
    order.map((id, index) => [id, index]),
  );
  const [event] = await queue.now();
  assert.deepEqual([event.op, event.order], ['reorder', order]);
  for (const wrong of [
    order.slice(1),
    [...order.slice(1), order[1]],
    [...order.slice(1), 999_999],
    [...order, order[0]],
  ]) {
    const { msg } = await administrator.fails('PATCH', '/channel_folders', { order: wrong });
    assert.equal(msg, 'Invalid order mapping.');
  }
});

// rules: conventions-13, channel-folders-7
test('the initial state has all folders, including archived ones, and the length limits', async () => {
  const { state } = await guest.register({ fetch_event_types: ['channel_folders', 'realm'] });
  assert.deepEqual(state.channel_folders, await list(guest, { include_archived: true }));
  assert.deepEqual([state.max_channel_folder_name_length, state.max_channel_folder_description_length], [60, 1024]);
  const listening = await guest.register({ event_types: ['channel_folder'] });
  assert.deepEqual(listening.state.channel_folders, state.channel_folders);
});
