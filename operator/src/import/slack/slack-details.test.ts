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
let messages: readonly Json[];
let old: readonly Json[];

const drive = { title: 'Plan & costs', mode: 'external', url_private: 'https://drive.example/d/1?a=1&amp;b=2' };
const deleted = '1700000010.000100';

const files = {
  'users.json': [{ id: 'U1', name: 'ada', is_owner: true, profile: { email: 'ada@example.com' } }],
  'channels.json': [
    { id: 'C1', name: 'square', members: ['U1'] },
    { id: 'C2', name: 'old', members: ['U1'] },
  ],
  'dms.json': [{ id: 'D1', members: ['U1', 'USLACKBOT'] }],
  'integration_logs.json': [
    { service_id: '77', service_type: 'Build Robot', bot_id: 'B77', change_type: 'added' },
    { app_id: 'A88', app_type: 'Weather', change_type: 'added' },
  ],
  'square/2023-11-14.json': [
    { user: 'U1', ts: '1700000000.000100', text: 'see', files: [{ id: 'F1', ...drive, external_type: 'gdrive' }] },
    {
      user: 'U1',
      ts: '1700000001.000100',
      text: '',
      files: [{ id: 'F2', is_external: true, name: 'x', url_private: 'javascript:x' }],
    },
    { user: 'USLACKBOT', ts: '1700000002.000100', text: 'I am here' },
    { bot_id: 'B77', ts: '1700000003.000100', text: 'built' },
    { bot_id: 'B88', app_id: 'A88', ts: '1700000004.000100', text: 'rain' },
    { bot_id: 'B99', ts: '1700000005.000100', text: 'no name yet' },
    { bot_id: 'B99', bot_profile: { id: 'B99', name: 'Named Later' }, ts: '1700000006.000100', text: 'named' },
    { user: 'U1', ts: '1700000007.000100', text: 'ask <@USLACKBOT>' },
    {
      user: 'USLACKBOT',
      subtype: 'tombstone',
      ts: deleted,
      thread_ts: deleted,
      text: 'This message was deleted.',
      reply_count: 2,
    },
    { user: 'U1', ts: '1700000011.000100', thread_ts: deleted, text: 'I would *weave* it' },
    { user: 'U1', ts: '1700000012.000100', thread_ts: deleted, text: 'or knit' },
    ...['', '0', '0000000000.000000', '12', 'soon', '1e9', ' ', '99999999999999', null].map((ts) => ({
      user: 'U1',
      ts,
      text: 'lost',
    })),
    { user: 'U1', text: 'no time at all' },
  ],
  // What Slack wrote until 2018.
  'old/2017-11-14.json': [
    {
      ...{ subtype: 'file_share', user: 'U1', ts: '1500000000.000100', text: 'my plan', upload: true },
      file: { id: 'F00000017', user: 'U1', name: 'plan.txt' },
    },
    {
      ...{ subtype: 'file_comment', ts: '1500000001.000100', text: '<@U1> commented on a file: *nice*' },
      ...{
        file: { id: 'F00000017', user: 'U2', name: 'plan.txt' },
        comment: { id: 'Fc1', user: 'U1', comment: 'nice', reactions: [{ name: 'heart', users: ['U1'] }] },
      },
    },
    { subtype: 'file_share', ts: '1500000002.000100', text: 'of the file', file: { id: 'F00000018', user: 'U1' } },
    {
      ...{ user: 'U1', ts: '1500000003.000100', text: 'gone', files: [{ id: 'F19', mode: 'tombstone' }] },
      reactions: [{ name: 'tada', users: ['U1'], count: 60 }],
    },
  ],
  'D1/2023-11-14.json': [{ user: 'U1', ts: '1700000020.000100', text: 'remind me' }],
};
const WITHOUT_TIME = 10;

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
  const path = join(directory.path, 'slack.zip');
  await writeZip(path, [
    ...Object.entries(files).map(([name, content]) => [name, JSON.stringify(content)] as const),
    // A file that a user had attached.
    ['__uploads/F0000001/2023-11-14.json', 'not JSON'] as const,
    ['__uploads/F00000017/plan.txt', 'the plan'] as const,
  ]);
  imported = await importForeign(server, path, readSlackArchive, { subdomain: 'slack' });
  ada = await importedClient(server, 'slack', 'ada@example.com');
  const query = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false };
  const { messages: all } = await ada.ok('GET', '/messages', query);
  [old, messages] = [all.slice(0, 4), all.slice(4)];
});
after(async () => {
  await server.stop();
  await directory.remove();
});

test('external files are links with their titles', () => {
  assert.deepEqual(
    messages.slice(0, 2).map(({ content }) => content),
    ['see\n[Plan & costs](https://drive.example/d/1?a=1&b=2)', 'x'],
  );
});

test('Slackbot and the bots of integrations have their names', () => {
  assert.deepEqual(
    messages.slice(2, 7).map(({ sender_full_name: name, content }) => [name, content]),
    [
      ['Slackbot', 'I am here'],
      ['Build Robot', 'built'],
      ['Weather', 'rain'],
      ['Named Later', 'no name yet'],
      ['Named Later', 'named'],
    ],
  );
  assert.match(messages[7]?.content, /^ask @\*\*Slackbot\|\d+\*\*$/);
  const { display_recipient: people } = messages.at(-1) ?? {};
  assert.deepEqual(people.map(({ full_name: name }: Json) => name).sort(), ['Slackbot', 'ada']);
});

test('messages without a valid time are reported', () => {
  assert(messages.every(({ timestamp }) => timestamp > 1_600_000_000));
  assert.equal(imported.lines.find(({ what }) => what === 'Messages without a valid time')?.count, WITHOUT_TIME);
  assert.equal(imported.messagesLeftOut, WITHOUT_TIME);
});

test('replies to a deleted message have a topic from their words', () => {
  const topics = messages.filter(({ content }) => /weave|knit/.test(content)).map(({ subject }) => subject); // wire name: the API's
  assert.deepEqual(topics, ['I would weave it 2023-11-14 22:13', 'I would weave it 2023-11-14 22:13']);
});

test('a message with one file, and a comment that names its author only in the comment, keep them', () => {
  const texts = old.map(({ sender_full_name: name, content }) => [
    name,
    content.replace(/user_uploads\/[^)]+/, 'FILE').replace(/\|\d+/, ''),
  ]);
  assert.deepEqual(texts, [
    ['ada', 'my plan\n[plan.txt](/FILE)'],
    ['ada', '@**ada** commented on a file: **nice**'],
    ['ada', 'of the file\n*(file: F00000018)*'],
    ['ada', 'gone'],
  ]);
  assert.deepEqual(
    old.flatMap(({ reactions }) => reactions.map(({ emoji_name: name }: Json) => name)),
    ['heart', 'tada'],
  );
});

test('deleted files, and people of a reaction whom Slack leaves out, are reported', () => {
  const lines = new Map(imported.lines.map(({ what, count }) => [what, count]));
  assert.equal(lines.get('Files that were deleted in Slack'), 1);
  assert.equal(lines.get('Reactions with more people than the archive names'), 1);
});
