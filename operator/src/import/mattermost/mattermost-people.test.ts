import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { archiveDirectory, importedClient, importForeign } from '../../testing/imported.ts';
import type { Imported } from '../importing.ts';
import { readMattermostArchive } from './mattermost-archive.ts';

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let imported: Imported;
let ada: TestClient;
let bo: TestClient;

const at = 1_700_000_000_000;
const post = (team: string, message: string, seconds: number, more: object = {}) => ({
  type: 'post',
  post: { team, channel: 'square', user: 'ada', message, create_at: at + seconds * 1000, ...more },
});

const lines: readonly object[] = [
  { type: 'version', version: 1 },
  { type: 'role', role: { name: 'weaver', permissions: [] } },
  { type: 'scheme', scheme: { name: 'strict' } },
  {
    type: 'team',
    team: { name: 'loom', display_name: 'The Loom', description: 'weaves', type: 'O', scheme: 'strict' },
  },
  { type: 'team', team: { name: 'mill', display_name: 'The Mill', type: 'O' } },
  {
    type: 'channel',
    channel: {
      team: 'loom',
      name: 'square',
      display_name: 'Square',
      type: 'O',
      purpose: 'For all',
      header: 'Today: red',
    },
  },
  { type: 'channel', channel: { team: 'mill', name: 'square', display_name: 'Square', type: 'P' } },
  {
    type: 'user',
    user: {
      ...{ username: 'ada', email: 'ada@example.com', first_name: 'Ada', nickname: 'Countess', roles: 'system_admin' },
      ...{ position: 'Weaver', locale: 'de', military_time: 'true', theme: '{"x":1}', auth_service: 'ldap' },
      custom_status: { emoji: 'heart', text: 'weaving', duration: 'today' },
      notify_props: {
        desktop: 'all',
        mobile: 'none',
        email: 'true',
        mention_keys: 'ada,@ada,shuttle',
        channel: 'true',
      },
      teams: [{ name: 'loom', channels: [{ name: 'square', roles: 'channel_admin', last_viewed_at: at + 9_000_000 }] }],
    },
  },
  {
    type: 'user',
    user: {
      ...{ username: 'bo', email: 'bo@example.com', roles: 'system_user' },
      teams: [
        {
          name: 'loom',
          channels: [
            {
              ...{ name: 'square', favorite: true, last_viewed_at: at + 1500, msg_count: 1, mention_count: 0 },
              notify_props: {
                desktop: 'all',
                mobile: 'default',
                mark_unread: 'mention',
                ignore_channel_mentions: 'on',
              },
            },
          ],
        },
      ],
    },
  },
  { type: 'bot', bot: { username: 'robot', display_name: 'Robot', owner: 'bo', description: 'weaves' } },
  post('loom', 'first', 1, { is_pinned: true }),
  post('loom', 'a thread', 2, {
    replies: [{ user: 'bo', message: 'yes', create_at: at + 3000 }],
    thread_followers: [{ user: 'bo' }, { user: 'bo' }, { user: 'nobody' }],
  }),
  post('loom', '', 4, {
    props: { attachments: [{ title: 'Build', title_link: 'https://ci.example.com/1', text: 'green' }], mood: 'good' },
  }),
  {
    type: 'direct_channel',
    direct_channel: {
      members: ['ada', 'bo'],
      participants: [
        { username: 'ada', last_viewed_at: at + 9_000_000 },
        { username: 'bo', last_viewed_at: at + 5500 },
      ],
      ...{ favorited_by: ['ada'], header: 'us' },
    },
  },
  ...[5, 6].map((seconds) => ({
    type: 'direct_post',
    direct_post: {
      channel_members: ['ada', 'bo'],
      user: 'ada',
      message: `direct ${seconds}`,
      create_at: at + seconds * 1000,
    },
  })),
];

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
  const path = join(directory.path, 'import.jsonl');
  await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  imported = await importForeign(server, path, readMattermostArchive, { subdomain: 'mm' });
  ada = await importedClient(server, 'mm', 'ada@example.com');
  bo = await importedClient(server, 'mm', 'bo@example.com');
});
after(async () => {
  await server.stop();
  await directory.remove();
});

test('users keep their settings, profiles, statuses and alert words', async () => {
  const { user_settings: settings, alert_words: words, user_status: statuses } = await ada.ok('POST', '/register');
  assert.deepEqual(
    [settings.twenty_four_hour_time, settings.default_language, settings.enable_stream_desktop_notifications], // wire name: the API's
    [true, 'de', true],
  );
  assert.equal(settings.enable_offline_push_notifications, false);
  assert.deepEqual(words, ['shuttle']);
  assert.equal(statuses[ada.userId].status_text, 'weaving');
  const { user } = await ada.ok('GET', `/users/${ada.userId}`, { include_custom_profile_fields: true });
  assert.deepEqual(
    Object.values(user.profile_data).map((one) => (one as Json).value),
    ['Weaver', 'Countess'],
  );
  const { members } = await ada.ok('GET', '/users');
  assert.equal(members.find(({ full_name: name }: Json) => name === 'Robot').bot_owner_id, bo.userId);
});

test('teams are folders, and channel administrators administer their channels', async () => {
  const { streams: channels } = await ada.ok('GET', '/streams'); // wire name: the API's
  const square = channels.find(({ name }: Json) => name === 'loom: Square');
  assert.deepEqual([square.folder_id, square.description], [1, 'For all — Today: red']);
  assert.deepEqual(square.can_administer_channel_group, { direct_members: [ada.userId], direct_subgroups: [] });
  const { channel_folders: folders } = await ada.ok('GET', '/channel_folders');
  assert.deepEqual(
    folders.map(({ name }: Json) => name),
    ['The Loom', 'The Mill'],
  );
});

test('what users have not viewed is unread, followed threads are followed topics, and channels keep their choices', async () => {
  const query = { anchor: 'oldest', num_before: 0, num_after: 20, apply_markdown: false };
  const { messages } = await bo.ok('GET', '/messages', query);
  assert.deepEqual(
    messages.map(({ content, flags }: Json) => [content, flags.includes('read')]),
    [
      ['first', true],
      ['a thread', false],
      ['yes', false],
      ['[Build](https://ci.example.com/1)\n\ngreen', false],
      ['direct 5', true],
      ['direct 6', false],
    ],
  );
  const { user_topics: topics } = await bo.ok('POST', '/register');
  assert.deepEqual(
    topics.map(({ topic_name: topic, visibility_policy: policy }: Json) => [topic, policy]),
    [[messages[1].subject, 3]], // wire name: the API's
  );
  const { subscriptions } = await bo.ok('GET', '/users/me/subscriptions');
  const [square] = subscriptions;
  assert.deepEqual(
    [square.pin_to_top, square.is_muted, square.desktop_notifications, square.wildcard_mentions_notify],
    [true, true, true, false],
  );
  const { unread_msgs: unread } = await ada.ok('POST', '/register');
  assert.equal(unread.count, 0);
});

test('the report has a line for each kind of line and field that is not imported', () => {
  const scheme = 'Heddle grants permissions to groups, and the channels have their defaults';
  assert.deepEqual(
    new Map(imported.lines.map(({ what, count }) => [what, count])),
    new Map([
      [`Lines of the type role: ${scheme}`, 1],
      [`Lines of the type scheme: ${scheme}`, 1],
      [`Values of team.scheme: ${scheme}`, 1],
      ['Values of user.theme: it is a setting of the Mattermost app', 1],
      ['Values of user.auth_service: the settings of the server decide how users log in', 1],
      ['Values of status.duration: a status stays until its user changes it', 1],
      ['Values of channel membership.msg_count: the server counts it itself', 1],
      ['Values of bot.description: bots have no description', 1],
      ['Values of direct_channel.favorited_by: direct conversations cannot be pinned', 1],
      ['Values of direct_channel.header: direct conversations have no description', 1],
      ['Fields that this version does not know: props.mood', 1],
      ['Pinned posts: Heddle has no pins', 1],
      ['Followers of threads who are unknown', 1],
    ]),
  );
});

test('a link to a channel leads to the team of its post, and in a direct message to a public channel with a unique name', async () => {
  const path = join(directory.path, 'teams.jsonl');
  const channel = (team: string, name: string, type: string) => ({
    type: 'channel',
    channel: { team, name, display_name: name.toUpperCase(), type },
  });
  const message = 'see ~square ~secret ~mine ~only';
  const entries = [
    { type: 'version', version: 1 },
    ...['core', 'sales'].map((name) => ({ type: 'team', team: { name, display_name: name } })),
    ...['core', 'sales'].flatMap((team) => [channel(team, 'square', 'O'), channel(team, 'secret', 'P')]),
    ...[channel('sales', 'mine', 'P'), channel('sales', 'only', 'O')],
    {
      type: 'user',
      user: {
        ...{ username: 'ada', email: 'ada@example.com', roles: 'system_admin' },
        teams: ['core', 'sales'].map((name) => ({ name, channels: [{ name: 'square' }] })),
      },
    },
    post('core', message, 1),
    post('sales', message, 2),
    { type: 'direct_post', direct_post: { channel_members: ['ada'], user: 'ada', message, create_at: at + 3000 } },
  ];
  await writeFile(path, entries.map((line) => JSON.stringify(line)).join('\n'));
  await importForeign(server, path, readMattermostArchive, { subdomain: 'teams' });
  const client = await importedClient(server, 'teams', 'ada@example.com');
  const query = { anchor: 'oldest', num_before: 0, num_after: 10, apply_markdown: false };
  const { messages } = await client.ok('GET', '/messages', { ...query, allow_empty_topic_name: true });
  assert.deepEqual(
    messages.map(({ content }: Json) => content),
    [
      'see #**core: SQUARE** #**core: SECRET** ~mine ~only',
      'see #**sales: SQUARE** #**sales: SECRET** #**sales: MINE** #**sales: ONLY**',
      'see ~square ~secret ~mine #**sales: ONLY**',
    ],
  );
});

test('a webhook posts under the name that it chose, and not as the person who made it', async () => {
  const path = join(directory.path, 'hooks.jsonl');
  const hook = { from_webhook: 'true', override_username: 'Jenkins', webhook_display_name: 'CI' };
  const entries = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'core', display_name: 'Core' } },
    { type: 'channel', channel: { team: 'core', name: 'square', display_name: 'Square', type: 'O' } },
    {
      type: 'user',
      user: {
        ...{ username: 'ada', email: 'ada@example.com', first_name: 'Ada', roles: 'system_admin' },
        teams: [{ name: 'core', channels: [{ name: 'square' }] }],
      },
    },
    post('core', 'built', 1, { props: hook }),
    post('core', 'without a name', 2, { props: { from_webhook: 'true' } }),
    post('core', 'no webhook', 3, { props: { override_username: 'Eve' } }),
    post('core', 'built again', 4, { props: hook }),
  ];
  await writeFile(path, entries.map((line) => JSON.stringify(line)).join('\n'));
  await importForeign(server, path, readMattermostArchive, { subdomain: 'hooks' });
  const client = await importedClient(server, 'hooks', 'ada@example.com');
  const query = { anchor: 'oldest', num_before: 0, num_after: 10, apply_markdown: false };
  const { messages } = await client.ok('GET', '/messages', { ...query, allow_empty_topic_name: true });
  assert.deepEqual(
    messages.map(({ sender_full_name: name, content }: Json) => [name, content]),
    [
      ['Jenkins', 'built'],
      ['Ada', 'without a name'],
      ['Ada', 'no webhook'],
      ['Jenkins', 'built again'],
    ],
  );
});

test('only the members of a team that is not open find its public channels, and they can join them', async () => {
  const path = join(directory.path, 'closed.jsonl');
  const team = (name: string, allowsAll: boolean) => ({
    ...{ type: 'team', team: { name, display_name: name.toUpperCase(), type: 'O', allow_open_invite: allowsAll } },
  });
  const square = (name: string) => ({ type: 'channel', channel: { team: name, name: 'square', type: 'O' } });
  const user = (name: string, teams: readonly string[], more: object = {}) => ({
    type: 'user',
    user: {
      ...{ username: name, email: `${name}@example.com`, roles: 'system_user' },
      teams: teams.map((one) => ({ name: one, channels: [] })),
      ...more,
    },
  });
  const entries = [
    { type: 'version', version: 1 },
    ...[team('open', true), team('core', false), team('whole', false)],
    ...['open', 'core', 'whole'].map(square),
    user('ada', ['core', 'whole'], { roles: 'system_user system_admin' }),
    user('bo', ['core', 'whole']),
    user('cy', ['whole']),
    user('gone', [], { delete_at: at }),
    user('guest', ['core'], { roles: 'system_guest' }),
  ];
  await writeFile(path, entries.map((line) => JSON.stringify(line)).join('\n'));
  await importForeign(server, path, readMattermostArchive, { subdomain: 'closed' });
  const [owner, member, other] = await Promise.all(
    ['ada', 'bo', 'cy'].map((name) => importedClient(server, 'closed', `${name}@example.com`)),
  );
  const namesFor = async (client: TestClient | undefined) =>
    (await client?.ok('GET', '/streams', { include_can_access_content: true }))?.streams
      .map(({ name }: Json) => name)
      .sort(); // wire name: the API's
  assert.deepEqual(await namesFor(other), ['open: square', 'whole: square']);
  assert.deepEqual(await namesFor(member), ['core: square', 'open: square', 'whole: square']);
  await member?.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'core: square' }] });
  const { user_groups: groups } = (await owner?.ok('GET', '/user_groups')) ?? {};
  const core = groups.find(({ name }: Json) => name === 'CORE');
  assert.deepEqual(core.members, [owner?.userId, member?.userId]);
});
