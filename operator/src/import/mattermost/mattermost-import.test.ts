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
import { readMattermostArchive } from './mattermost-archive.ts';
import { markdownOf } from './mattermost-markup.ts';

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let imported: Imported;
let ada: TestClient;
let bo: TestClient;

const channels = (...names: readonly string[]) => [
  { name: 'loom', roles: 'team_user', channels: names.map((name) => ({ name, roles: 'channel_user' })) },
];
const at = 1_700_000_000_000;

/** Posts are in no order of time. */
const lines: readonly object[] = [
  { type: 'version', version: 1 },
  { type: 'emoji', emoji: { name: 'weaver', image: 'emoji/weaver.gif' } },
  { type: 'team', team: { name: 'loom', display_name: 'The Loom', type: 'O' } },
  {
    type: 'channel',
    channel: { team: 'loom', name: 'town-square', display_name: 'Town Square', type: 'O', purpose: 'For all' },
  },
  { type: 'channel', channel: { team: 'loom', name: 'attic', display_name: 'Attic', type: 'P' } },
  {
    type: 'user',
    user: {
      username: 'ada',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'L',
      roles: 'system_user system_admin',
      profile_image: 'profile/ada.gif',
      teams: channels('town-square', 'attic'),
    },
  },
  {
    type: 'user',
    user: {
      username: 'bo.k',
      email: 'bo@example.com',
      nickname: 'Bo',
      roles: 'system_user',
      teams: channels('town-square'),
    },
  },
  {
    type: 'user',
    user: { username: 'gone', email: 'gone@example.com', roles: 'system_user', delete_at: 1, teams: [] },
  },
  { type: 'bot', bot: { username: 'robot', display_name: 'Robot', owner: 'ada' } },
  {
    type: 'post',
    post: {
      ...{
        team: 'loom',
        channel: 'town-square',
        user: 'ada',
        message: 'Hello @bo.k, see ~attic',
        create_at: at + 5000,
        edit_at: at + 9000,
      },
      reactions: [{ user: 'bo.k', emoji_name: 'weaver', create_at: at }],
      replies: [
        {
          user: 'bo.k',
          message: 'Hi @all',
          create_at: at + 6000,
          flagged_by: ['ada'],
          attachments: [{ path: 'x/notes.txt' }],
        },
      ],
    },
  },
  { type: 'post', post: { team: 'loom', channel: 'town-square', user: 'robot', message: 'earlier', create_at: at } },
  { type: 'post', post: { team: 'loom', channel: 'attic', user: 'ada', message: 'secret', create_at: at + 1 } },
  {
    type: 'post',
    post: {
      team: 'loom',
      channel: 'town-square',
      user: 'ada',
      type: 'system_join_channel',
      message: 'ada joined',
      create_at: at,
    },
  },
  { type: 'post', post: { team: 'loom', channel: 'no-such', user: 'ada', message: 'lost', create_at: at } },
  { type: 'direct_channel', direct_channel: { members: ['ada', 'bo.k'] } },
  {
    type: 'direct_post',
    direct_post: { channel_members: ['ada', 'bo.k'], user: 'bo.k', message: 'just us', create_at: at + 2 },
  },
  { type: 'novelty', novelty: {} },
];

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
  const path = join(directory.path, 'mattermost.zip');
  await writeZip(path, [
    ['import.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')],
    ['data/x/notes.txt', 'the notes'],
    ['data/emoji/weaver.gif', await movingPicture()],
    ['data/profile/ada.gif', await movingPicture()],
  ]);
  imported = await importForeign(server, path, readMattermostArchive, { subdomain: 'mm' });
  ada = await importedClient(server, 'mm', 'ada@example.com');
  bo = await importedClient(server, 'mm', 'bo@example.com');
});
after(async () => {
  await server.stop();
  await directory.remove();
});

async function messagesOf(client: TestClient): Promise<readonly Json[]> {
  const query = {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    apply_markdown: false,
    allow_empty_topic_name: true,
  };
  return (await client.ok('GET', '/messages', query)).messages;
}

test('posts and replies are in the order of time, with mentions, reactions, files and stars', async () => {
  const messages = await messagesOf(ada);
  const topic = 'Hello bo.k, see Attic 2023-11-14 22:13';
  assert.deepEqual(
    messages.map(({ subject, content }) => [subject, content.replace(/\(\/user_uploads\/.*\)/, '(…)')]), // wire name: the API's
    [
      ['', 'earlier'],
      ['', 'secret'],
      ['', 'just us'],
      [topic, `Hello @**Bo|${bo.userId}**, see #**Attic**`],
      [topic, 'Hi @**all**\n[notes.txt](…)'],
    ],
  );
  const [, , , post, reply] = messages;
  assert.deepEqual(
    post?.reactions.map(({ emoji_name: name }: Json) => name),
    ['weaver'],
  );
  assert.equal(post?.last_edit_timestamp, (at + 9000) / 1000);
  assert(reply?.flags.includes('starred'));
  const [, path = ''] = /\((\/user_uploads\/\S+)\)/.exec(reply?.content) ?? [];
  const host = `mm.localhost:${new URL(server.url).port}`;
  assert.equal(String((await atHost(server.url, host, path, { headers: credentials(bo) })).body), 'the notes');
});

test('private channels are visible to their members only, and the report names the rest', async () => {
  const texts = (await messagesOf(bo)).map(({ content }) => content);
  assert(!texts.includes('secret') && texts.includes('just us'));
  assert.deepEqual(
    new Map(imported.lines.map(({ what, count }) => [what, count])),
    new Map([
      ['Lines of a type that this version does not know: novelty', 1],
      ['Notices of Mattermost itself', 1],
      ['Messages in channels that the archive does not describe', 1],
    ]),
  );
});

test('mentions change, but not in code and addresses', () => {
  const references = {
    ...{ mention: () => undefined, channel: (key: string) => `#**${key}**`, channelByName: () => undefined },
    ...{ message: () => undefined, file: () => undefined },
    groupMention: () => undefined,
    mentionByName: (name: string) => (name === 'ada' ? '@**Ada|10**' : undefined),
  };
  const converted = (text: string) => markdownOf(text, references, (name) => (name === 'attic' ? 'Attic' : undefined));
  assert.equal(
    converted('@ada. `@ada` a@ada.com @nobody @here ~attic ~~gone~~'),
    '@**Ada|10**. `@ada` a@ada.com @nobody @**all** #**Attic** ~~gone~~',
  );
  for (const part of ['@a', '~a ', '`', '```', '@']) assert.equal(typeof converted(part.repeat(20_000)), 'string');
});

test('files that are not bulk exports are refused with the reason', async () => {
  const refusalOf = async (content: string) => {
    const path = join(directory.path, 'bad.zip');
    await writeZip(path, [['import.jsonl', content]]);
    const error = await importForeign(server, path, readMattermostArchive, { subdomain: 'bad' }).then(
      () => undefined,
      (reason: Error) => reason,
    );
    assert.equal(error?.name, 'ImportError', String(error));
    return error?.message ?? '';
  };
  assert.match(await refusalOf(''), /is empty/);
  assert.match(await refusalOf('{"type":"team"}'), /does not begin with its version/);
  assert.match(await refusalOf('{"type":"version"}\n{"type":'), /line 2 is not valid JSON/);
});
