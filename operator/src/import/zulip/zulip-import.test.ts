import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { movingPicture } from '@heddle/server/testing/access/access-scene.ts';
import { atHost } from '@heddle/server/testing/clients/at-host.ts';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { credentials } from '@heddle/server/testing/clients/user-files.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { archiveDirectory, importedClient, importForeign } from '../../testing/imported.ts';
import type { Imported } from '../importing.ts';
import { readZulipArchive } from './zulip-archive.ts';

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let imported: Imported;
let ada: TestClient;
let bo: TestClient;

const user = (id: number, name: string, more: object = {}) => ({
  ...{ id, full_name: name, delivery_email: `${name.toLowerCase()}@example.com`, email: `user${id}@old.example.com` },
  ...{ is_active: true, is_bot: false, role: 400, date_joined: 1_600_000_000.5, timezone: 'Europe/Berlin', ...more },
});
const at = 1_700_000_000;
const message = (id: number, sender: number, recipient: number, topic: string, content: string, more: object = {}) => ({
  ...{ id, sender, recipient, content, date_sent: at + id, subject: topic, ...more }, // wire name: its column
});

/** wire name: the tables of the reference server */
const tables = {
  zerver_realm: [{ id: 2, string_id: 'old', name: 'Old Loom', description: 'Weaving' }], // wire name: its table
  zerver_userprofile: [
    user(501, 'Ada', { role: 100, avatar_source: 'U' }),
    user(502, 'Bo'),
    user(503, 'Gone', { is_active: false }),
  ],
  zerver_userprofile_crossrealm: [{ id: 7, email: 'notification-bot@zulip.com' }], // wire name: its table
  zerver_stream: [
    // wire name: its table
    { id: 31, name: 'square', description: 'For all', invite_only: false, date_created: at },
    { id: 32, name: 'attic', description: '', invite_only: true, date_created: at },
  ],
  zerver_defaultstream: [{ stream: 31 }], // wire name: its table
  zerver_recipient: [
    { id: 61, type: 2, type_id: 31 },
    { id: 62, type: 2, type_id: 32 },
    { id: 63, type: 1, type_id: 502 },
    { id: 64, type: 3, type_id: 9 },
  ],
  zerver_subscription: [
    ...[501, 502].map((id) => ({ user_profile: id, recipient: 61, active: true })),
    { user_profile: 501, recipient: 62, active: true },
    { user_profile: 502, recipient: 62, active: false },
    ...[501, 502, 503].map((id) => ({ user_profile: id, recipient: 64, active: true })),
  ],
  zerver_namedusergroup: [{ usergroup_ptr: 91, name: 'weavers', description: 'at looms', is_system_group: false }],
  zerver_usergroupmembership: [{ user_group: 91, user_profile: 502 }],
  zerver_reaction: [{ message: 1003, user_profile: 502, emoji_name: 'loom', reaction_type: 'realm_emoji' }],
};

const firstMessages = {
  zerver_message: [
    message(1002, 501, 61, 'warp', 'Hello @**Bo|502** [notes](/user_uploads/2/ab/cdef/notes.txt)', {
      last_edit_time: at + 5000,
      edit_history: JSON.stringify([{ user_id: 501, timestamp: at + 5000, prev_content: 'Hallo' }]),
    }),
    message(
      1003,
      502,
      61,
      'warp',
      'see [this](https://old.example.com/#narrow/channel/31-square/topic/warp/near/1002) and @_**Ada|501** #**square>warp@1002** https://chat.example.org/#narrow/channel/31-square/topic/warp/near/1002',
    ),
  ],
  zerver_usermessage: [
    { user_profile: 501, message: 1002, flags_mask: 1 },
    { user_profile: 502, message: 1002, flags_mask: 9 },
    { user_profile: 501, message: 1003, flags_mask: 0 },
    { user_profile: 502, message: 1003, flags_mask: 3 },
  ],
};
const moreMessages = {
  zerver_message: [
    message(1004, 501, 62, 'x', 'secret'),
    message(1005, 501, 63, '', 'just us'),
    message(1006, 502, 64, '', 'we three'),
    message(1007, 7, 61, 'warp', 'a notice'),
    message(1008, 501, 99, '', 'nowhere'),
  ],
  zerver_usermessage: [],
};

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
  const root = join(directory.path, 'zulip-export');
  const write = async (path: string, content: object | Buffer | string) => {
    const full = join(root, path);
    await mkdir(join(full, '..'), { recursive: true });
    await writeFile(full, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  };
  await write('realm.json', tables); // wire name: its file
  await write('messages-000001.json', firstMessages);
  await write('messages-000002.json', moreMessages);
  await write('attachment.json', {
    zerver_attachment: [{ id: 1, path_id: '2/ab/cdef/notes.txt', file_name: 'My notes.txt', owner: 501 }],
  });
  await write('uploads/records.json', [
    { path: '2/ab/cdef/notes.txt', s3_path: '2/ab/cdef/notes.txt', user_profile_id: 501 },
  ]);
  await write('uploads/2/ab/cdef/notes.txt', 'the notes');
  await write('avatars/records.json', [{ path: '2/hash.original', user_profile_id: 501 }]);
  await write('avatars/2/hash.original', await movingPicture());
  await write('emoji/records.json', [{ name: 'loom', path: '2/emoji/images/1.gif', author: 502 }]);
  await write('emoji/2/emoji/images/1.gif', await movingPicture());
  await symlink('/etc/passwd', join(root, 'uploads/2/passwd'));
  imported = await importForeign(server, root, readZulipArchive, { subdomain: 'zulip' });
  ada = await importedClient(server, 'zulip', 'ada@example.com');
  bo = await importedClient(server, 'zulip', 'bo@example.com');
});
after(async () => {
  await server.stop();
  await directory.remove();
});

async function messagesOf(client: TestClient): Promise<readonly Json[]> {
  const query = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false };
  return (await client.ok('GET', '/messages', query)).messages;
}

test('messages have new ids, and mentions, links and files follow them', async () => {
  const messages = await messagesOf(ada);
  assert.deepEqual(
    messages.map(({ id, content }) => [id, content.replace(/\(\/user_uploads\/.*\)/, '(…)')]),
    [
      [1, `Hello @**Bo|${bo.userId}** [notes](…)`],
      [
        2,
        `see [this](/#narrow/channel/1-square/topic/warp/near/1) and @_**Ada|${ada.userId}** #**square>warp@1** https://chat.example.org/#narrow/channel/31-square/topic/warp/near/1002`,
      ],
      [3, 'secret'],
      [4, 'just us'],
      [5, 'we three'],
      [6, 'a notice'],
    ],
  );
  const [, path = ''] = /\((\/user_uploads\/\S+)\)/.exec(messages[0]?.content) ?? [];
  const host = `zulip.localhost:${new URL(server.url).port}`;
  assert.equal(String((await atHost(server.url, host, path, { headers: credentials(bo) })).body), 'the notes');
  const { message_history: history } = await ada.ok('GET', '/messages/1/history');
  assert.deepEqual(
    history.map(({ content }: Json) => content.replace(/\(\/user_uploads\/.*\)/, '(…)')),
    ['Hallo', `Hello @**Bo|${bo.userId}** [notes](…)`],
  );
});

test('read state, stars, reactions and mentions are those of the archive', async () => {
  const flagsOf = async (client: TestClient) =>
    (await messagesOf(client)).slice(0, 2).map(({ flags }) => flags.toSorted());
  assert.deepEqual(await flagsOf(ada), [['read'], []]);
  assert.deepEqual(await flagsOf(bo), [
    ['mentioned', 'read'],
    ['read', 'starred'],
  ]);
  assert.deepEqual(
    (await messagesOf(bo))[1]?.reactions.map(({ emoji_name: name, user_id: id }: Json) => [name, id]),
    [['loom', bo.userId]],
  );
  const { unread_msgs: unread, realm_user_groups: groups } = await ada.ok('POST', '/register'); // wire name: the API's
  assert.equal(unread.count, 1);
  assert.deepEqual(groups.find(({ name }: Json) => name === 'weavers')?.members, [bo.userId]);
});

test('private channels stay private, a symbolic link is not followed, and the report names the rest', async () => {
  const texts = (await messagesOf(bo)).map(({ content }) => content);
  assert(!texts.includes('secret') && texts.includes('just us') && texts.includes('we three'));
  assert.deepEqual(
    new Map(imported.lines.map(({ what, count }) => [what, count])),
    new Map([
      ['Values of zerver_realm.string_id: the command names the address of the new organization', 1],
      ['Symbolic links and special files', 1],
      ['Ended subscriptions: these users are not subscribed', 1],
      ['Messages whose recipients the archive does not describe', 1],
    ]),
  );
});

test('an export of a version before roles has its owners, guests, policies and messages', async () => {
  const root = join(directory.path, 'older-export');
  await mkdir(root);
  const { role: _, ...eve } = user(601, 'Eve', { is_realm_admin: true }); // wire name: its column
  const { role: __, ...guest } = user(602, 'Guest', { is_guest: true, default_view: 'all_messages' });
  const [square] = tables.zerver_stream; // wire name: its table
  const policies = {
    ...{ create_stream_policy: 2, bot_creation_policy: 2, allow_message_deleting: false, wildcard_mention_policy: 9 },
    ...{ allow_edit_history: false, message_retention_days: null, message_content_edit_limit_seconds: 0 },
    ...{ move_messages_between_streams_limit_seconds: 3600, notifications_stream: 31, email_address_visibility: 3 },
  };
  const older = {
    zerver_realm: [{ id: 2, name: 'Older Loom', ...policies }], // wire name: its table
    zerver_userprofile: [eve, guest],
    zerver_stream: [{ ...square, is_announcement_only: true }], // wire name: its table
    zerver_recipient: tables.zerver_recipient.slice(0, 1),
    zerver_subscription: [601, 602].map((id) => ({ user_profile: id, recipient: 61, active: true })),
  };
  const { date_sent: sentAt, ...old } = message(2001, 601, 61, 'warp', 'long ago');
  await writeFile(join(root, 'realm.json'), JSON.stringify(older)); // wire name: its file
  await writeFile(
    join(root, 'messages-000001.json'),
    JSON.stringify({ zerver_message: [{ ...old, pub_date: sentAt }], zerver_usermessage: [] }),
  );
  const { messagesLeftOut, lines } = await importForeign(server, root, readZulipArchive, { subdomain: 'older' });
  assert.equal(messagesLeftOut, 0);
  assert.deepEqual(lines, [
    {
      what: 'Settings of the organization that are not valid here: they have their defaults',
      ...{ count: 1, examples: ['can_mention_many_users_group'] },
    },
  ]);
  const owner = await importedClient(server, 'older', 'eve@example.com');
  assert.deepEqual(
    (await messagesOf(owner)).map(({ content, timestamp }) => [content, timestamp]),
    [['long ago', sentAt]],
  );
  const { members } = await owner.ok('GET', '/users');
  const roles = new Map(members.map(({ full_name: name, role }: Json) => [name, role]));
  assert.deepEqual([roles.get('Eve'), roles.get('Guest')], [100, 600]);
  const state = await owner.ok('POST', '/register');
  const groups = new Map(state.realm_user_groups.map(({ id, name }: Json) => [id, name])); // wire name: the API's
  const named = (permission: string) => groups.get(state[`realm_${permission}`]); // wire name: the API's
  assert.deepEqual(
    [
      ...['can_create_public_channel_group', 'can_create_private_channel_group', 'can_create_bots_group'].map(named),
      ...['can_create_write_only_bots_group', 'can_delete_own_message_group', 'can_invite_users_group'].map(named),
      groups.get(state.subscriptions[0].can_send_message_group),
    ],
    [
      ...['role:administrators', 'role:administrators', 'role:administrators'],
      ...['role:members', 'role:administrators', 'role:members', 'role:administrators'],
    ],
  );
  assert.deepEqual(
    [
      ...[state.realm_message_edit_history_visibility_policy, state.realm_message_retention_days],
      ...[state.realm_message_content_edit_limit_seconds, state.realm_move_messages_between_streams_limit_seconds],
      state.realm_new_stream_announcements_stream_id, // wire name: the API's
    ],
    ['none', -1, null, 3600, state.subscriptions[0].stream_id],
  );
  const { user_settings: settings } = await (await importedClient(server, 'older', 'guest@example.com')).ok(
    'POST',
    '/register',
  );
  assert.deepEqual([settings.email_address_visibility, settings.web_home_view], [3, 'all_messages']);
  assert.equal(state.realm_user_settings_defaults.email_address_visibility, 3); // wire name: the API's
});

test('custom emoji of a server with S3 have the names of their rows, and those in use win', async () => {
  const root = join(directory.path, 's3-export');
  const folder = join(root, 'emoji/2/emoji/images');
  await mkdir(join(folder, 'still'), { recursive: true });
  const emoji = (id: number, name: string, more: object = {}) => ({
    id,
    name,
    author: 501,
    file_name: `${id}.gif`,
    ...more,
  });
  const content = {
    zerver_realm: [{ id: 2, name: 'Loom in S3' }], // wire name: its table
    zerver_userprofile: [user(501, 'Ada', { role: 100 })],
    zerver_userprofile_mirrordummy: [user(502, 'Bo', { is_mirror_dummy: true })],
    zerver_realmemoji: [emoji(1, 'loom', { deactivated: true }), emoji(2, 'loom'), emoji(3, 'weft'), emoji(4, 'lost')],
  };
  await writeFile(join(root, 'realm.json'), JSON.stringify(content)); // wire name: its file
  const files = ['1.gif', '2.gif', '2.gif.original', 'still/2.png', '3.gif.original', '9.gif'];
  for (const file of files) await writeFile(join(folder, file), await movingPicture());
  const records = files.map((file) => ({ path: `2/emoji/images/${file}`, user_profile_id: 501 }));
  await writeFile(join(root, 'emoji/records.json'), JSON.stringify(records));
  const { lines } = await importForeign(server, root, readZulipArchive, { subdomain: 's3' });
  assert.deepEqual(
    new Map(lines.map(({ what, examples }) => [what, examples])),
    new Map([
      ['Users whom the export has only as senders: their accounts are deactivated', ['Bo']],
      ['Pictures of emoji without a name', ['2/emoji/images/9.gif']],
      ['Custom emoji that are missing, or not pictures', ['lost']],
      ['Custom emoji whose name is not valid or occurs twice', ['loom']],
    ]),
  );
  const owner = await importedClient(server, 's3', 'ada@example.com');
  const found = Object.values((await owner.ok('GET', '/realm/emoji')).emoji).map((one) => one as Json); // wire name: the API's
  assert.deepEqual(
    found.map(({ name, deactivated, author_id: author }) => [name, deactivated, author]),
    ['loom', 'weft'].map((name) => [name, false, owner.userId]),
  );
});
