import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { movingPicture } from '@heddle/server/testing/access/access-scene.ts';
import { atHost } from '@heddle/server/testing/clients/at-host.ts';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { credentials } from '@heddle/server/testing/clients/user-files.ts';
import { fc } from '@heddle/server/testing/random/property.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { archiveDirectory, importedClient, importForeign, writeZip } from '../../testing/imported.ts';
import { bsonOf, rocketChatDump } from '../../testing/rocketchat-dump.ts';
import { cancelInterrupted, type Imported } from '../importing.ts';
import { readRocketChatArchive } from './rocketchat-archive.ts';

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let dump: ReturnType<typeof rocketChatDump>;
let imported: Imported;
let ada: TestClient;
let bo: TestClient;
let made = 0;

before(async () => {
  [directory, server] = await Promise.all([archiveDirectory(), startTestServer()]);
  dump = rocketChatDump(await movingPicture());
  imported = await importForeign(server, await written('dump/rocketchat', dump), readRocketChatArchive, {
    subdomain: 'rocket',
  });
  ada = await importedClient(server, 'rocket', 'ada@example.com');
  bo = await importedClient(server, 'rocket', 'bo.weaver@example.com');
});
after(async () => {
  await server.stop();
  await directory.remove();
});

/** Writes a dump as a directory, and returns its path. */
async function written(
  folder: string,
  collections: Readonly<Record<string, readonly object[]>>,
  pack: (content: Buffer) => Buffer = (content) => content,
  ending = '.bson',
): Promise<string> {
  made += 1;
  const root = join(directory.path, `dump-${made}`);
  await mkdir(join(root, folder), { recursive: true });
  for (const [name, documents] of Object.entries(collections)) {
    await writeFile(join(root, folder, `${name}${ending}`), pack(bsonOf(documents)));
    await writeFile(join(root, folder, `${name}.metadata.json`), '{}');
  }
  return root;
}

async function messagesOf(client: TestClient): Promise<readonly Json[]> {
  const query = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false };
  return (await client.ok('GET', '/messages', query)).messages;
}

const summaryOf = (
  { display_recipient: channel, subject, sender_full_name: sender, content }: Json, // wire name: the API's
) => [typeof channel === 'string' ? channel : 'direct', subject, sender, content];

/** A quote of a message that quotes another one and has a file. */
const QUOTES = [
  '**ada** [said](https://chat.example.com/group/attic?msg=mGone):',
  '> two',
  '> ',
  '> **bo** [said](https://chat.example.com/group/attic?msg=mOlder):',
  '> > one',
  '> ',
  '> wool.png',
  '',
  'see',
].join('\n');

test('channels, threads and discussions become channels and topics, with the markup of Heddle', async () => {
  const messages = await messagesOf(bo);
  const thread = 'Shall we weave, Bo? 2023-11-14 22:13';
  const [root] = messages;
  const near = /\/#narrow\/channel\/\S+\/near\/\d+/;
  assert.deepEqual(
    messages.map(summaryOf).map((row) =>
      row.map((text) =>
        String(text)
          .replace(near, 'LINK')
          .replace(/user_uploads\/[^)]+/, 'FILE'),
      ),
    ),
    [
      ['general', thread, 'Ada', `Shall we **weave**, @**Bo|${bo.userId}**?`],
      ['general', thread, 'Bo', 'Yes, @**all**! See #**general** and ~~knit~~ `*code*`'],
      ['general', 'general chat', 'Bo', 'my notes\n[notes.txt](/FILE)\n*(file: lost.txt)*'],
      ['general', 'general chat', 'Ada', '**ada** [said](LINK):\n> Shall we weave?\n\nindeed'],
      ['general', 'general chat', 'Deployer', '[Build](https://ci.example.com/1)\n\ngreen\n\nCI'],
      ['general', 'Which wool?', 'Bo', 'Sheep?'],
      ['general', 'Which wool? (2)', 'Bo', 'Or goats?'],
      ['Secret talk', 'general chat', 'Bo', 'only for us'],
      ['The attic', 'general chat', 'Bo', 'up here'],
      ['The attic', 'general chat', 'Bo', QUOTES],
      ['The attic', 'general chat', 'Bo', '**Film**\n\n[video](https://films.example/1.mp4)\n\ninner'],
      ['The attic', 'general chat', 'Bo', '**Poll**: wool?\n\n&#42;yes&#42;\n\n[Open](https://polls.example/1)'],
      ['The attic', 'general chat', 'Bridge', '[52.25, 13.5](https://www.openstreetmap.org/?mlat=52.25&mlon=13.5)'],
      ['direct', '', 'Bo', 'just us'],
      ['general', 'general chat', 'gone', 'from someone who left'],
    ],
  );
  assert(root?.flags.includes('mentioned'));
  assert.equal(messages[3]?.last_edit_timestamp, 1_700_000_045);
  const ofAda = (await messagesOf(ada)).map(({ content }) => content);
  assert(ofAda.includes('just us') && !ofAda.includes('only for us') && !ofAda.includes('up here'));
});

test('files, reactions, stars, read state and pictures are there', async () => {
  const found = (await messagesOf(ada)).find(({ content }) => content.startsWith('my notes'));
  const [, path = ''] = /\((\/user_uploads\/\S+)\)/.exec(found?.content) ?? [];
  const { status, body } = await atHost(server.url, `rocket.localhost:${new URL(server.url).port}`, path, {
    headers: credentials(ada),
  });
  assert.deepEqual([status, String(body)], [200, 'the notes']);
  assert.deepEqual(
    found?.reactions.map(({ emoji_name: name, user_id: id }: Json) => [name, id]),
    [
      ['loom', ada.userId],
      ['+1', bo.userId],
    ],
  );
  assert(found?.flags.includes('starred'));
  const unread = (await messagesOf(bo)).filter(({ flags }) => !flags.includes('read')).map(({ content }) => content);
  assert(unread.includes('just us') && !unread.includes('up here'));
  const { members } = await ada.ok('GET', '/users');
  assert.match(members.find(({ full_name: name }: Json) => name === 'Ada').avatar_url, /^\/user_avatars\//);
  const emoji = Object.values((await ada.ok('GET', '/realm/emoji')).emoji).map((one) => (one as Json).name); // wire name: the API's
  assert.deepEqual(emoji.sort(), ['loom', 'webstuhl']);
});

test('users have their roles, profiles and settings, and channels their choices', async () => {
  const state = await ada.ok('POST', '/register', { slim_presence: true });
  assert.equal(state.realm_name, 'Weavers'); // wire name: the API's
  assert.equal(state.user_settings.default_language, 'de');
  assert.equal(state.user_status[ada.userId].status_text, 'weaving');
  const { members } = await ada.ok('GET', '/users');
  const roles = members.map(({ full_name: name, role, is_bot: isBot, is_active: isActive }: Json) => [
    name,
    role,
    isBot,
    isActive,
  ]);
  assert.deepEqual(
    roles.filter(([name]: readonly unknown[]) => ['Ada', 'Bo', 'robot'].includes(String(name))),
    [
      ['Ada', 100, false, true],
      ['Bo', 400, false, true],
      ['robot', 400, true, true],
    ],
  );
  const { subscriptions } = await bo.ok('GET', '/users/me/subscriptions');
  const general = subscriptions.find(({ name }: Json) => name === 'general');
  assert.deepEqual([general.is_muted, general.desktop_notifications, general.description], [true, true, 'For all']);
  const attic = subscriptions.find(({ name }: Json) => name === 'The attic');
  assert.equal(attic.invite_only, true);
  assert.deepEqual(attic.can_send_message_group, { direct_members: [bo.userId], direct_subgroups: [] });
});

test('only the members of a private team find its public channels, and they can join them', async () => {
  const { subscriptions } = await ada.ok('GET', '/users/me/subscriptions');
  const wheel = subscriptions.find(({ name }: Json) => name === 'wheel');
  assert.equal(wheel.invite_only, true);
  const { user_groups: groups } = await ada.ok('GET', '/user_groups');
  const spinners = groups.find(({ id }: Json) => id === wheel.can_subscribe_group);
  assert.deepEqual(
    [spinners.name, spinners.members],
    ['spinners', [ada.userId, bo.userId].sort((one, other) => one - other)],
  );
  await bo.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'wheel' }] });
});

test('the report names what is left out, and no secret is in it', () => {
  const lines = new Map(imported.lines.map(({ what, count }) => [what, count]));
  assert.equal(imported.messagesLeftOut, 3);
  for (const [what, count] of [
    ['Encrypted messages: only their readers have the keys', 1],
    ['Messages of live chats, calls and unknown rooms', 1],
    ['Messages without an id or a valid time', 1],
    ['Messages that were deleted', 1],
    ['Notices of Rocket.Chat itself', 1],
    ['Earlier texts of edited messages, and messages that Rocket.Chat hides', 1],
    ['Pinned messages: Heddle has no pins', 1],
    ['Blocks that only work in Rocket.Chat, such as buttons', 1],
    ['Files that the archive does not have', 1],
    ['Values of users.services: passwords and tokens are not imported', 2],
    ['Collections that are not imported: it belongs to Rocket.Chat itself', 1],
    ['Collections that this version does not know: novelties', 1],
  ] as const)
    assert.equal(lines.get(what), count, `${what}: ${JSON.stringify([...lines])}`);
  assert.doesNotMatch(JSON.stringify(imported.lines), /secret/);
});

test('compressed dumps, zip archives and files of the old server beside the dump are read', async () => {
  const { 'rocketchat_uploads.chunks': _, ...others } = dump;
  const folder = await written('rocketchat', others, (content) => gzipSync(content), '.bson.gz');
  await writeFile(join(folder, 'fNotes.txt'), 'the notes');
  const compressed = await importForeign(server, folder, readRocketChatArchive, { subdomain: 'rocketgz' });
  assert.equal(compressed.rows.messages, imported.rows.messages);
  const path = join(directory.path, 'dump.zip');
  await writeZip(
    path,
    Object.entries(dump).map(([name, documents]) => [`dump/rc/${name}.bson`, bsonOf(documents)]),
  );
  const zipped = await importForeign(server, path, readRocketChatArchive, { subdomain: 'rocketzip' });
  assert.equal(zipped.rows.messages, imported.rows.messages);
  const { rows } = await server.app.pool.query(
    `SELECT subdomain, size::integer FROM attachments a JOIN organizations o ON o.id = a.organization_id WHERE a.name = 'notes.txt' ORDER BY 1`,
  );
  assert.deepEqual(
    rows,
    ['rocket', 'rocketgz', 'rocketzip'].map((subdomain) => ({ subdomain, size: 9 })),
  );
});

test('damaged dumps, and dumps of other programs, are refused with a sentence', async () => {
  const whole = bsonOf(dump.rocketchat_message ?? []);
  const lying = Buffer.from(whole);
  lying.writeInt32LE(0x7fffffff, 0);
  const small = Buffer.from(whole);
  small.writeInt32LE(3, 0);
  for (const content of [whole.subarray(0, whole.length - 3), lying, small, Buffer.from('not bson at all')]) {
    const root = await written('rc', dump);
    await writeFile(join(root, 'rc', 'rocketchat_message.bson'), content);
    await assert.rejects(importForeign(server, root, readRocketChatArchive, { subdomain: 'bad' }), {
      name: 'ImportError',
      message: /rocketchat_message\.bson.*(?:damaged|not valid BSON)/,
    });
  }
  const other = await written('app', { users: [{ _id: 'x' }] });
  await assert.rejects(
    importForeign(server, other, readRocketChatArchive, { subdomain: 'bad' }),
    /not a mongodump of Rocket\.Chat/,
  );
});

const HOSTILE = [
  null,
  true,
  [],
  {},
  '',
  'x'.repeat(60_000),
  '\0',
  '\ud800',
  -1,
  2 ** 60,
  1e300,
  '__proto__',
  ['uAda', 5],
  { a: { b: [] } },
  new Date(0),
];

test('whatever values a dump has, it is imported or refused with a reason', async () => {
  const places = Object.entries(dump).flatMap(([name, documents]) =>
    documents.flatMap((document, index) => Object.keys(document).map((field) => ({ name, index, field }))),
  );
  const change = fc.record({ place: fc.constantFrom(...places), value: fc.constantFrom(...HOSTILE) });
  const app = { db: server.app.db, config: server.app.config, connection: { connectionString: server.shared.url } };
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const changed: Record<string, readonly object[]> = { ...dump };
      for (const { place, value } of changes) {
        changed[place.name] = (changed[place.name] ?? []).map((document, index) =>
          index === place.index ? { ...document, [place.field]: value } : document,
        );
      }
      const subdomain = `hostile${made}`;
      try {
        await importForeign(server, await written('rc', changed), readRocketChatArchive, { subdomain });
      } catch (error) {
        assert(
          error instanceof Error && error.name === 'ImportError',
          error instanceof Error ? (error.stack ?? '') : String(error),
        );
        await cancelInterrupted(app, subdomain);
      }
    }),
    { numRuns: 12 },
  );
});
