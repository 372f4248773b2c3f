import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { movingPicture } from '@heddle/server/testing/access/access-scene.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { archiveDirectory, importedClient, importForeign, writeZip } from '../../testing/imported.ts';
import type { ArchiveReader } from '../foreign.ts';
import { readMattermostArchive } from '../mattermost/mattermost-archive.ts';
import { readSlackArchive } from '../slack/slack-archive.ts';
import { codeOfSharedName, replaceEmojiNames } from './emoji.ts';

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
});
after(async () => {
  await server.stop();
  await directory.remove();
});

const text =
  ':thinking_face: :x::tada: 10:00:smile: :clock1: :party_blob: :no_such: `:x:` https://example.com/:x:\n```\n:x:\n```\n:o:';
/** `:big_smile:` is the name of a custom emoji here, so the other one cannot have it. */
const converted =
  ':thinking: :cross_mark::tada: 10:00😄 🕐 :party_blob: :no_such: `:x:` https://example.com/:x:\n```\n:x:\n```\n:circle:';
const reactions = ['party_blob', 'white_check_mark', 'x', '+1', 'flag-de', 'clock1', 'no_such'];

const slack = async (): Promise<Parameters<typeof writeZip>[1]> => [
  [
    'users.json',
    JSON.stringify([
      {
        ...{ id: 'U1', real_name: 'Ada', is_owner: true },
        profile: { email: 'ada@example.com', status_emoji: ':face_with_rolling_eyes:' },
      },
    ]),
  ],
  ['channels.json', JSON.stringify([{ id: 'C1', name: 'square', members: ['U1'] }])],
  [
    'square/2023-11-14.json',
    JSON.stringify([
      {
        ...{ user: 'U1', ts: '1700000000.000100', text },
        reactions: reactions.map((name) => ({ name: name === 'x' ? 'x::skin-tone-2' : name, users: ['U1'] })),
      },
    ]),
  ],
  ['emoji/party_blob.gif', await movingPicture()],
  ['emoji/big_smile.gif', await movingPicture()],
];

const mattermost = async (): Promise<Parameters<typeof writeZip>[1]> => [
  [
    'import.jsonl',
    [
      { type: 'version', version: 1 },
      { type: 'emoji', emoji: { name: 'party_blob', image: 'blob.gif' } },
      { type: 'emoji', emoji: { name: 'big_smile', image: 'blob.gif' } },
      { type: 'team', team: { name: 'loom', display_name: 'Loom' } },
      { type: 'channel', channel: { team: 'loom', name: 'square', display_name: 'Square', type: 'O' } },
      {
        type: 'user',
        user: {
          ...{ username: 'ada', email: 'ada@example.com', roles: 'system_admin' },
          custom_status: { emoji: 'face_with_rolling_eyes', text: '' },
          teams: [{ name: 'loom', channels: [{ name: 'square' }] }],
        },
      },
      {
        type: 'post',
        post: {
          ...{ team: 'loom', channel: 'square', user: 'ada', message: text, create_at: 1_700_000_000_000 },
          reactions: reactions.map((name) => ({
            user: 'ada',
            emoji_name: name === 'x' ? 'x_medium_light_skin_tone' : name,
          })),
        },
      },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  ],
  ['data/blob.gif', await movingPicture()],
];

const programs: readonly [string, ArchiveReader, typeof slack][] = [
  ['slack', readSlackArchive, slack],
  ['mattermost', readMattermostArchive, mattermost],
];
for (const [program, read, entries] of programs) {
  test(`emoji of ${program} become the same emoji here in texts, reactions and statuses`, async () => {
    const path = join(directory.path, `${program}.zip`);
    await writeZip(path, await entries());
    const imported = await importForeign(server, path, read, { subdomain: program });
    const ada = await importedClient(server, program, 'ada@example.com');
    const query = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
    const [message] = (await ada.ok('GET', '/messages', query)).messages;
    assert.equal(message?.content.replaceAll(/\n+/g, '\n'), converted);
    assert.deepEqual(
      message?.reactions.map(({ emoji_name: name, emoji_code: code }: Json) => [name, code]),
      [
        ['party_blob', message?.reactions[0].emoji_code],
        ['check', '2705'],
        ['cross_mark', '274c'],
        ['+1', '1f44d'],
        ['flag_germany', '1f1e9-1f1ea'],
      ],
    );
    const { user_status: statuses } = await ada.ok('POST', '/register');
    assert.equal(statuses[ada.userId].emoji_code, '1f644');
    const lost = imported.lines.find(({ what }) => what === 'Reactions with an emoji that does not exist here');
    assert.equal(lost?.count, 2);
  });
}

test('names of skin tones are those of the plain emoji', () => {
  assert.deepEqual(
    ['wave::skin-tone-6', 'wave_dark_skin_tone', 'man-shrugging_medium_dark_skin_tone', 'constructor'].map(
      codeOfSharedName,
    ),
    ['1f44b', '1f44b', '1f937-200d-2642', undefined],
  );
});

test('names of emoji in mentions stay, and hostile texts take linear time', () => {
  const replace = (name: string) => (name === 'x' ? '!' : undefined);
  assert.equal(
    replaceEmojiNames('@**A :x:|5** @_**:x:** #**:x:>:x:** :a:x:', replace),
    '@**A :x:|5** @_**:x:** #**:x:>:x:** :a!',
  );
  for (const part of [':', ':a', ':x:', '@**', '#**a', 'https://', ':x:::skin-tone-2'])
    assert.equal(typeof replaceEmojiNames(part.repeat(50_000), replace), 'string');
});
