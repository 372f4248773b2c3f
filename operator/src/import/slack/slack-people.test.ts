import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { archiveDirectory, importedClient, importForeign, writeZip } from '../../testing/imported.ts';
import type { Imported } from '../importing.ts';
import { readSlackArchive } from './slack-archive.ts';

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let imported: Imported;
let ada: TestClient;

const files = {
  'users.json': [
    {
      ...{ id: 'U1', name: 'ada', real_name: 'Ada', is_owner: true, has_2fa: true },
      profile: {
        ...{
          email: 'ada@example.com',
          title: 'Weaver &amp; dyer',
          phone: '',
          status_text: 'weaving &lt;3',
          status_emoji: ':heart:',
        },
        ...{ fields: { Xf1: { value: 'red' } }, horoscope: 'Aries' },
      },
    },
    { id: 'U2', name: 'bo', real_name: 'Bo', profile: { email: 'bo@example.com' } },
  ],
  'channels.json': [
    {
      ...{ id: 'C1', name: 'square', members: ['U1', 'U2'], creator: 'U1', created: 1_690_000_000 },
      ...{
        purpose: { value: 'For &lt;all&gt; of <#C1|square>, <@U2>' },
        topic: { value: '*Today*: <https://x.example|red>' },
        pins: [{ id: '1700000000.000100' }, { id: 'F1' }],
      },
      properties: { canvas: { file_id: 'F2' } },
    },
    { id: 'C2', name: 'attic', members: ['U1'], creator: 'U1', is_private: true },
  ],
  'usergroups.json': [
    {
      id: 'S1',
      handle: 'weavers',
      name: 'The weavers',
      description: 'at looms &amp; <https://x.example|wheels>',
      users: ['U1', 'U9'],
    },
    { id: 'S2', handle: 'weavers', name: 'Others', users: [], date_delete: 1_690_000_000 },
  ],
  'canvases.json': [{ id: 'F2' }],
  'novelties.json': [],
  'square/2023-11-14.json': [
    { user: 'U1', ts: '1700000000.000100', text: 'hello <!subteam^S1|@weavers>', pinned_to: ['C1'], mood: 'good' },
    {
      ...{ user: 'U2', ts: '1700000001.000100', text: '' },
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'from a *block*' } }],
    },
    {
      ...{ bot_id: 'B2', username: 'Alpha', ts: '1700000002.000100', text: '' },
      attachments: [
        { title: 'Build', fields: [{ title: 'Host', value: 'db1' }], thumb_url: 'https://x.example/a.png', novel: 1 },
        { blocks: [{ type: 'actions', elements: [{ type: 'button', text: { text: 'Do' } }] }] },
      ],
    },
    { bot_id: 'B2', username: 'Beta', ts: '1700000003.000100', text: 'other' },
    { bot_id: 'B2', username: 'Alpha', ts: '1700000004.000100', text: 'again' },
    {
      ...{ user: 'U2', ts: '1700000005.000100', thread_ts: '1700000005.000100', reply_count: 1, text: '' },
      blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Build [4] & *x*' } }],
    },
  ],
};

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
  const path = join(directory.path, 'slack.zip');
  await writeZip(
    path,
    Object.entries(files).map(([name, content]) => [name, JSON.stringify(content)]),
  );
  imported = await importForeign(server, path, readSlackArchive, { subdomain: 'slack' });
  ada = await importedClient(server, 'slack', 'ada@example.com');
});
after(async () => {
  await server.stop();
  await directory.remove();
});

test('user groups, statuses and profiles are imported', async () => {
  const state = await ada.ok('POST', '/register');
  const { user_groups: all } = await ada.ok('GET', '/user_groups', { include_deactivated_groups: true });
  const groups = all.filter(({ is_system_group: is }: Json) => !is);
  assert.deepEqual(
    groups.map(({ name, description, members, deactivated }: Json) => [name, description, members, deactivated]),
    [
      ['weavers', 'at looms & wheels', [ada.userId], false],
      ['weavers (2)', '', [], true],
    ],
  );
  assert.deepEqual(
    [state.user_status[ada.userId].status_text, state.user_status[ada.userId].emoji_name],
    ['weaving <3', 'heart'],
  );
  assert.deepEqual(
    state.custom_profile_fields.map(({ name }: Json) => name),
    ['Title'],
  );
  const { user } = await ada.ok('GET', `/users/${ada.userId}`, { include_custom_profile_fields: true });
  assert.deepEqual(
    Object.values(user.profile_data).map((one) => (one as Json).value),
    ['Weaver & dyer'],
  );
});

const messagesOf = async () => {
  const query = { anchor: 'oldest', num_before: 0, num_after: 10, apply_markdown: false };
  const { messages } = await ada.ok('GET', '/messages', query);
  return messages as readonly Json[];
};

test('a channel has its purpose and its topic as its description, with their links and mentions', async () => {
  const { subscriptions } = await ada.ok('GET', '/users/me/subscriptions');
  const square = subscriptions.find(({ name }: Json) => name === 'square');
  const bo = (await ada.ok('GET', '/users')).members.find(({ full_name: name }: Json) => name === 'Bo');
  assert.equal(
    square.description,
    `For <all> of #**square**, @**Bo|${bo.user_id}** — **Today**: [red](https://x.example)`,
  );
  assert.match(square.rendered_description, /data-user-id="\d+">@Bo<.*<strong>Today<.*href="https:\/\/x.example"/);
});

test('a private channel among the public ones stays private', async () => {
  const { subscriptions } = await ada.ok('GET', '/users/me/subscriptions');
  const areClosed = new Map(subscriptions.map(({ name, invite_only: isClosed }: Json) => [name, isClosed]));
  assert.deepEqual([areClosed.get('square'), areClosed.get('attic')], [false, true]);
});

test('messages mention groups and have the text of blocks and attachments', async () => {
  assert.deepEqual(
    (await messagesOf()).slice(0, 3).map(({ content }) => content),
    ['hello @*weavers*', 'from a **block**', '**Build**\n\n* **Host**: db1'],
  );
});

test('the topic of a thread is the text as Slack shows it', async () => {
  assert.equal((await messagesOf()).at(-1)?.subject, 'Build [4] & *x* 2023-11-14 22:13');
});

test('each name of a webhook is a sender', async () => {
  assert.deepEqual(
    (await messagesOf()).slice(2, 5).map(({ sender_full_name: name }) => name),
    ['Alpha', 'Beta', 'Alpha'],
  );
});

test('the report has a line for each kind of field and file that is not imported', () => {
  assert.deepEqual(
    new Map(imported.lines.map(({ what, count }) => [what, count])),
    new Map([
      ['Values of user.has_2fa: it belongs to Slack itself', 1],
      ['Values of profile.fields: the export does not name the fields', 1],
      ['Fields that this version does not know: profile.horoscope', 1],
      ['Values of channel.properties: Heddle has no bookmarks, tabs and canvases of channels', 1],
      ['Pinned messages and files: Heddle has no pins', 2],
      ['Canvases: Heddle has none', 1],
      ['Files of the archive that this version does not know', 1],
      ['Values of message.pinned_to: Heddle has no pins', 1],
      ['Fields that this version does not know: message.mood', 1],
      ['Fields that this version does not know: attachment.novel', 1],
      ['Values of attachment.thumb_url: of attachments, texts, links and large pictures are imported', 1],
      ['Blocks that only work in Slack, such as buttons', 1],
      ['Senders that the archive does not describe: deactivated accounts stand for them', 2],
      ['Groups with another name than in the archive', 1],
      ['Members of groups who are unknown', 1],
    ]),
  );
});
