import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { movingPicture } from '@heddle/server/testing/access/access-scene.ts';
import { atHost } from '@heddle/server/testing/clients/at-host.ts';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { credentials } from '@heddle/server/testing/clients/user-files.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { archiveDirectory, importedClient, importForeign, writeZip } from '../../testing/imported.ts';
import type { Imported } from '../importing.ts';
import { readSlackArchive } from './slack-archive.ts';

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let imported: Imported;
let ada: TestClient;
let bo: TestClient;
let cy: TestClient;

const user = (id: string, name: string, more: object = {}) => ({
  ...{ id, name: name.toLowerCase(), real_name: name, deleted: false, tz: 'Europe/Berlin' },
  ...{ profile: { email: `${name.toLowerCase()}@example.com` }, ...more },
});

const users = [
  user('U1', 'Ada', { is_owner: true, is_admin: true }),
  user('U2', 'Bo'),
  user('U3', 'Cy', { is_restricted: true }),
  user('U4', 'Gone', { deleted: true }),
  user('B1', 'Builder', { is_bot: true, profile: {} }),
];

const square = [
  {
    type: 'message',
    user: 'U1',
    ts: '1700000000.000100',
    text: 'Shall we *weave*, <@U2>?',
    thread_ts: '1700000000.000100',
    reply_count: 1,
  },
  { type: 'message', user: 'U2', ts: '1700000300.000200', text: 'Yes <!channel>', thread_ts: '1700000000.000100' },
  { type: 'message', subtype: 'channel_join', user: 'U2', ts: '1700000100.000000', text: '<@U2> has joined' },
  {
    type: 'message',
    user: 'U2',
    ts: '1700000200.000000',
    text: 'outside of the thread',
    edited: { user: 'U2', ts: '1700000250.0' },
  },
];
const nextDay = [
  {
    type: 'message',
    user: 'U1',
    ts: '1700090000.000000',
    text: 'see <https://t.slack.com/archives/C1/p1700000000000100|this>',
  },
  {
    ...{
      type: 'message',
      user: 'U2',
      ts: '1700090001.000000',
      text: 'files',
      reactions: [
        { name: 'loom', users: ['U1', 'U9'] },
        { name: '+1::skin-tone-2', users: ['U1'] },
        { name: 'no_such', users: ['U1'] },
      ],
    },
    files: [
      { id: 'F00000001', name: 'notes.txt' },
      { id: 'F00000002', name: 'lost.txt', url_private: 'https://files.slack.com/x' },
    ],
  },
  {
    type: 'message',
    subtype: 'bot_message',
    bot_id: 'B9',
    username: 'Deployer',
    ts: '1700090002.000000',
    text: 'deployed',
    attachments: [{ title: 'Build', title_link: 'https://ci.example.com/1', text: 'green' }],
  },
  { type: 'message', user: 'U7', ts: '1700090003.000000', text: 'from elsewhere', user_profile: { real_name: 'Eve' } },
  { type: 'message', user: 'U1', ts: 'soon', text: 'no time' },
  'nonsense',
];

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
  const path = join(directory.path, 'slack.zip');
  await writeZip(path, [
    ['users.json', JSON.stringify(users)],
    [
      'channels.json',
      JSON.stringify([
        {
          id: 'C1',
          name: 'square',
          created: 1690000000,
          creator: 'U1',
          is_general: true,
          members: ['U1', 'U2', 'U3', 'U9'],
          purpose: { value: 'For all' },
        },
      ]),
    ],
    [
      'groups.json',
      JSON.stringify([{ id: 'G1', name: 'attic', created: 1690000000, creator: 'U1', members: ['U1', 'U2'] }]),
    ],
    ['dms.json', JSON.stringify([{ id: 'D1', members: ['U1', 'U3'] }])],
    ['mpims.json', JSON.stringify([{ id: 'M1', name: 'mpdm-ada--bo--cy-1', members: ['U1', 'U2', 'U3'] }])],
    ['square/2023-11-14.json', JSON.stringify(square)],
    ['square/2023-11-15.json', JSON.stringify(nextDay)],
    [
      'attic/2023-11-14.json',
      JSON.stringify([{ type: 'message', user: 'U2', ts: '1700000150.000000', text: 'secret' }]),
    ],
    ['D1/2023-11-14.json', JSON.stringify([{ type: 'message', user: 'U3', ts: '1700000160.000000', text: 'just us' }])],
    [
      'mpdm-ada--bo--cy-1/2023-11-14.json',
      JSON.stringify([{ type: 'message', user: 'U1', ts: '1700000170.000000', text: 'we three' }]),
    ],
    ['cellar/2023-11-14.json', '[]'],
    ['__uploads/F00000001/notes.txt', 'the notes'],
    ['emoji/loom.gif', await movingPicture()],
    ['avatars/U1.png', await movingPicture()],
  ]);
  imported = await importForeign(server, path, readSlackArchive, { subdomain: 'slack' });
  [ada, bo, cy] = (await Promise.all(
    ['ada', 'bo', 'cy'].map((name) => importedClient(server, 'slack', `${name}@example.com`)),
  )) as [TestClient, TestClient, TestClient];
});
after(async () => {
  await server.stop();
  await directory.remove();
});

async function messagesOf(client: TestClient, narrow: readonly object[] = []): Promise<readonly Json[]> {
  const query = {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    apply_markdown: false,
    narrow: JSON.stringify(narrow),
  };
  return (await client.ok('GET', '/messages', query)).messages;
}

test('users have their roles, and deactivated ones cannot log in', async () => {
  const { members } = await ada.ok('GET', '/users');
  const roles = new Map(
    members.map(({ full_name: name, role, is_active: active, is_bot: bot }: Json) => [name, [role, active, bot]]),
  );
  assert.deepEqual(roles.get('Ada'), [100, true, false]);
  assert.deepEqual(roles.get('Bo'), [400, true, false]);
  assert.deepEqual(roles.get('Cy'), [600, true, false]);
  assert.deepEqual(roles.get('Gone'), [400, false, false]);
  assert.equal(
    members.find(({ full_name: name }: Json) => name === 'Ada').avatar_url.startsWith('/user_avatars/'),
    true,
  );
});

test('threads become topics, in the order of time, with mentions and links to the new messages', async () => {
  const messages = await messagesOf(bo, [{ operator: 'channel', operand: 'square' }]);
  assert.deepEqual(
    messages.slice(0, 5).map(({ subject, content }) => [subject, content]), // wire name: the API's
    [
      ['Shall we weave, Bo? 2023-11-14 22:13', `Shall we **weave**, @**Bo|${bo.userId}**?`],
      ['general chat', 'outside of the thread'],
      ['Shall we weave, Bo? 2023-11-14 22:13', 'Yes @**all**'],
      [
        'general chat',
        `see [this](/#narrow/channel/1-square/topic/Shall.20we.20weave.2C.20Bo.3F.202023-11-14.2022.3A13/near/${messages[0]?.id})`,
      ],
      ['general chat', messages[4]?.content],
    ],
  );
  assert.deepEqual(
    messages.map(({ id }) => id),
    messages.map(({ id }) => id).toSorted((a, b) => a - b),
  );
  assert(messages[0]?.flags.includes('mentioned') && messages[0].flags.includes('read'));
  assert.equal(messages[1]?.last_edit_timestamp, 1700000250);
  assert.deepEqual(
    messages.slice(5).map(({ sender_full_name: name, content }) => [name, content]),
    [
      ['Deployer', 'deployed\n\n[Build](https://ci.example.com/1)\n\ngreen'],
      ['Eve', 'from elsewhere'],
    ],
  );
});

test('files of the archive, custom emoji and reactions are there', async () => {
  const message =
    (await messagesOf(bo, [{ operator: 'search', operand: 'files' }]))[0] ??
    (await messagesOf(bo)).find(({ content }) => content.startsWith('files'));
  assert.match(message?.content, /^files\n\[notes\.txt\]\(\/user_uploads\/\S+\)\n\*\(file: lost\.txt\)\*$/);
  const [, path = ''] = /\((\/user_uploads\/\S+)\)/.exec(message?.content) ?? [];
  const { status, body } = await atHost(server.url, `slack.localhost:${new URL(server.url).port}`, path, {
    headers: credentials(ada),
  });
  assert.deepEqual([status, String(body)], [200, 'the notes']);
  assert.deepEqual(
    message?.reactions.map(({ emoji_name: name, reaction_type: type }: Json) => [name, type]),
    [
      ['loom', 'realm_emoji'],
      ['+1', 'unicode_emoji'],
    ],
  );
});

test('private channels and direct conversations are visible to their members only', async () => {
  const textsOf = async (client: TestClient) => (await messagesOf(client)).map(({ content }) => content);
  const [ofBo, ofCy] = [await textsOf(bo), await textsOf(cy)];
  assert(ofBo.includes('secret') && ofBo.includes('we three') && !ofBo.includes('just us'));
  assert(ofCy.includes('just us') && ofCy.includes('we three') && !ofCy.includes('secret'));
  const { unread_msgs: unread } = await cy.ok('POST', '/register');
  assert.equal(unread.count, 0, 'everything is read');
  const { rows } = await server.app.pool.query(
    `SELECT guest_id, user_id FROM acquaintances JOIN organizations o ON o.id = organization_id WHERE subdomain = 'slack' ORDER BY 1, 2`,
  );
  assert.deepEqual(
    rows,
    [ada, bo].map(({ userId }) => ({ guest_id: cy.userId, user_id: userId })),
    'a guest can access the users of direct conversations',
  );
});

test('the report names what was not imported and why', () => {
  assert.deepEqual(
    new Map(imported.lines.map(({ what, count }) => [what, count])),
    new Map([
      ['Folders of conversations that no list names', 1],
      ['Notices of Slack itself', 1],
      ['Messages without a valid time', 1],
      ['Messages that are not objects', 1],
      ['Senders that the archive does not describe: deactivated accounts stand for them', 2],
      ['Subscriptions of unknown users, or to unknown channels', 1],
      ['Files that the archive does not have', 1],
      ['Reactions of unknown users', 1],
      ['Reactions with an emoji that does not exist here', 1],
    ]),
  );
});

test('an interrupted import continues, and has every message once', async () => {
  const path = join(directory.path, 'many.zip');
  const many = Array.from({ length: 5000 }, (_, index) => ({
    type: 'message',
    user: 'U2',
    ts: `${1700000000 + index}.000000`,
    text: `number ${index}`,
    reactions: [{ name: 'heart', users: ['U1'] }],
  }));
  await writeZip(path, [
    ['users.json', JSON.stringify(users)],
    ['channels.json', JSON.stringify([{ id: 'C1', name: 'square', members: ['U1', 'U2'] }])],
    ['square/2023-11-14.json', JSON.stringify(many)],
  ]);
  const stop = new AbortController();
  const progress = ({ table, rows }: { readonly table: string; readonly rows: number }) => {
    if (table === 'messages' && rows >= 2000) stop.abort(new Error('interrupted'));
  };
  await assert.rejects(
    importForeign(server, path, readSlackArchive, { subdomain: 'many', progress, signal: stop.signal }),
    /interrupted/,
  );
  const { isContinued } = await importForeign(server, path, readSlackArchive, { subdomain: 'many' });
  assert.equal(isContinued, true);
  const { rows } = await server.app.pool.query(
    `SELECT count(*)::integer AS messages, count(DISTINCT content)::integer AS texts, max(m.id)::integer AS last,
            (SELECT count(*)::integer FROM reactions r WHERE r.organization_id = o.id) AS reactions
       FROM messages m JOIN organizations o ON o.id = organization_id WHERE subdomain = 'many' GROUP BY o.id`,
  );
  assert.deepEqual(rows, [{ messages: 5000, texts: 5000, last: 5000, reactions: 5000 }]);
});

test('archives that are not exports of Slack, or damaged ones, are refused with the reason', async () => {
  const refusalOf = async (entries: readonly (readonly [string, string])[]) => {
    const path = join(directory.path, 'bad.zip');
    await writeZip(path, entries);
    const error = await importForeign(server, path, readSlackArchive, { subdomain: 'bad' }).then(
      () => undefined,
      (reason: Error) => reason,
    );
    assert.equal(error?.name, 'ImportError', String(error));
    return error?.message ?? '';
  };
  assert.match(await refusalOf([['x.json', '1']]), /no users\.json/);
  assert.match(await refusalOf([['users.json', '{}']]), /users\.json is not a list/);
  assert.match(await refusalOf([['users.json', '[']]), /users\.json is not valid JSON/);
  assert.match(await refusalOf([['users.json', '[]']]), /no active owner/);
});
