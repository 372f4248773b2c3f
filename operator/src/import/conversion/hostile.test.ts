import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fc } from '@heddle/server/testing/random/property.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { archiveDirectory, importForeign } from '../../testing/imported.ts';
import { zulipMessages, zulipTables } from '../../testing/zulip-tables.ts';
import type { ArchiveReader } from '../foreign.ts';
import { cancelInterrupted, type Imported } from '../importing.ts';
import { readMattermostArchive } from '../mattermost/mattermost-archive.ts';
import { readSlackArchive } from '../slack/slack-archive.ts';
import { readZulipArchive } from '../zulip/zulip-archive.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Files = Readonly<Record<string, Json>>;

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let made = 0;

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
});
after(async () => {
  await server.stop();
  await directory.remove();
});

/** Imports the files as a directory. Returns the reason if the archive is refused; any other error fails the test. */
async function outcome(files: Files, read: ArchiveReader): Promise<Imported | string> {
  made += 1;
  const [root, subdomain] = [join(directory.path, `archive-${made}`), `hostile${made}`];
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    const lines = path.endsWith('.jsonl') && Array.isArray(content) ? content : [content];
    await writeFile(join(root, path), lines.map((line) => JSON.stringify(line)).join('\n'));
  }
  try {
    const imported = await importForeign(server, root, read, { subdomain });
    const organization = await server.app.organizations.byId(imported.organizationId);
    assert(organization !== undefined, 'the organization cannot be loaded');
    return imported;
  } catch (error) {
    assert(
      error instanceof Error && error.name === 'ImportError',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
    const app = { db: server.app.db, config: server.app.config, connection: { connectionString: server.shared.url } };
    await cancelInterrupted(app, subdomain);
    return error.message;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const zulip: Files = { 'realm.json': zulipTables, 'messages-000001.json': zulipMessages } as unknown as Files; // wire name: its file

const slack: Files = {
  'users.json': [
    {
      id: 'U1',
      name: 'ada',
      is_owner: true,
      profile: { email: 'ada@example.com', title: 'Weaver', status_emoji: ':heart:' },
    },
    { id: 'U2', name: 'bo', profile: { email: 'bo@example.com' } },
  ],
  'channels.json': [
    { id: 'C1', name: 'square', members: ['U1', 'U2'], purpose: { value: 'x' }, pins: [{ id: '1' }], created: 5 },
  ],
  'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
  'usergroups.json': [{ id: 'S1', handle: 'weavers', users: ['U1'], date_create: 5 }],
  'square/2023-11-14.json': [
    {
      ...{
        user: 'U1',
        ts: '1700000000.000100',
        text: 'hi <@U2> <!subteam^S1>',
        thread_ts: '1700000000.000100',
        reply_count: 1,
      },
      ...{
        reactions: [{ name: 'heart', users: ['U2'] }],
        files: [{ id: 'F00000001', name: 'x' }],
        edited: { ts: '1700000009.0' },
      },
    },
    { user: 'U2', ts: '1700000001.000100', text: 'yes', thread_ts: '1700000000.000100' },
    {
      bot_id: 'B1',
      username: 'Bot',
      ts: '1700000002.000100',
      text: '',
      blocks: [{ type: 'section', text: { text: 'block' } }],
    },
  ],
  'D1/2023-11-14.json': [{ user: 'U1', ts: '1700000003.000100', text: 'just us' }],
};

const mattermost: Files = {
  'import.jsonl': [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'loom', display_name: 'Loom' } },
    {
      type: 'channel',
      channel: { team: 'loom', name: 'square', display_name: 'Square', type: 'O', header: 'h', purpose: 'p' },
    },
    {
      type: 'user',
      user: {
        ...{ username: 'ada', email: 'ada@example.com', roles: 'system_admin', position: 'Weaver', locale: 'de' },
        ...{ custom_status: { emoji: 'heart', text: 'x' }, notify_props: { mention_keys: 'loom,ada', desktop: 'all' } },
        teams: [
          {
            name: 'loom',
            channels: [{ name: 'square', last_viewed_at: 5000, favorite: true, roles: 'channel_admin' }],
          },
        ],
      },
    },
    {
      type: 'user',
      user: { username: 'bo', email: 'bo@example.com', teams: [{ name: 'loom', channels: [{ name: 'square' }] }] },
    },
    { type: 'bot', bot: { username: 'robot', owner: 'ada' } },
    {
      type: 'post',
      post: {
        ...{
          team: 'loom',
          channel: 'square',
          user: 'ada',
          message: 'hi @bo',
          create_at: 6000,
          edit_at: 7000,
          is_pinned: true,
        },
        ...{
          reactions: [{ user: 'bo', emoji_name: 'heart' }],
          replies: [{ user: 'bo', message: 'yes', create_at: 8000 }],
        },
        ...{
          thread_followers: [{ user: 'ada' }],
          props: { attachments: [{ title: 'T', text: 'x', fields: [{ title: 'F', value: 5 }] }] },
        },
      },
    },
    {
      type: 'direct_channel',
      direct_channel: { members: ['ada', 'bo'], participants: [{ username: 'ada', last_viewed_at: 1 }] },
    },
    {
      type: 'direct_post',
      direct_post: { channel_members: ['ada', 'bo'], user: 'bo', message: 'just us', create_at: 9000 },
    },
  ],
};

/** Values that an attacker would try in any field. */
const HOSTILE: readonly Json[] = [
  ...[null, true, false, [], {}, '', ' ', 0, -1, 0.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e300, -1e300, 501, 31],
  ...[
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '\u202egnp.exe',
    '\u001b[31m',
    '\r\n',
    '\\N',
    '\\.',
    '\t',
    "'; DROP TABLE users; --",
  ],
  ...[
    '../../etc/passwd',
    '/etc/passwd',
    '<script>alert(1)</script>',
    '*'.repeat(20_000),
    '[['.repeat(5000),
    '`'.repeat(9000),
  ],
  ...[
    'role:owners',
    '@all',
    'notification-bot@zulip.com',
    'ADA@EXAMPLE.COM',
    '-1',
    '1e400',
    'NaN',
    '9007199254740993',
    '1700000000.000100',
  ],
  ...['x'.repeat(60_000), '🧶'.repeat(3000), '(a+)+$', '{{{{', '%(x)s', 'null', '[]', '{"widget_type":"poll"}'],
  ...[{ toString: 1 }, 'constructor', '__proto__'],
  ...[[[[[[]]]]], [null], [501, 501, 502], ['U1', 'U1', 5], { a: { b: { c: [] } } }, ['\0']],
];

/** The paths of all values. */
function pathsIn(value: Json, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, one]) =>
    pathsIn(one, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}

function replaced(value: Json, [first, ...rest]: readonly (string | number)[], by: Json): Json {
  if (first === undefined) return by;
  if (Array.isArray(value)) return value.map((one, index) => (index === first ? replaced(one, rest, by) : one));
  return { ...(value as object), [first]: replaced((value as Record<string, Json>)[first] ?? null, rest, by) };
}

/** Sets fields of the first row of a table. */
function withFields(tables: Json | undefined, table: string, fields: Readonly<Record<string, Json>>): Json {
  return Object.entries(fields).reduce<Json>(
    (all, [name, value]) => replaced(all, [table, 0, name], value),
    tables ?? {},
  );
}

async function attack(files: Files, read: ArchiveReader, runs: number): Promise<void> {
  const paths = pathsIn(files).filter((path) => path.length > 1);
  const change = fc.record({ path: fc.constantFrom(...paths), value: fc.constantFrom(...HOSTILE) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const changed = changes.reduce((all, { path, value }) => {
        try {
          return replaced(all, path, value) as Files;
        } catch {
          return all;
        }
      }, files);
      await outcome(changed, read);
    }),
    { numRuns: runs },
  );
}

test('whatever values an archive of the reference server has, it is imported or refused with a reason', async () => {
  await attack(zulip, readZulipArchive, 15);
});

test('whatever values an archive of Slack has, it is imported or refused with a reason', async () => {
  await attack(slack, readSlackArchive, 10);
});

test('whatever values an archive of Mattermost has, it is imported or refused with a reason', async () => {
  await attack(mattermost, readMattermostArchive, 10);
});

test('objects without a text, and names that all objects have, are imported as missing values', async () => {
  for (const value of [{ toString: 1 }, 'constructor', '__proto__']) {
    const path = ['import.jsonl', 6, 'post', 'props', 'attachments', 0, 'fields', 0, 'value'];
    assert.equal(typeof (await outcome(replaced(mattermost, path, value) as Files, readMattermostArchive)), 'object');
    const reaction = ['square/2023-11-14.json', 0, 'reactions', 0, 'name'];
    assert.equal(typeof (await outcome(replaced(slack, reaction, value) as Files, readSlackArchive)), 'object');
    const settings = { topics_policy: value, message_edit_history_visibility_policy: value, color_scheme: value };
    const realm = withFields(zulip['realm.json'], 'zerver_realm', settings); // wire name: its table
    const changed = { ...zulip, 'realm.json': withFields(realm, 'zerver_userprofile', settings) }; // wire name: its file
    const imported = await outcome(changed, readZulipArchive);
    assert(typeof imported !== 'string', String(imported));
    const organization = await server.app.organizations.byId(imported.organizationId);
    assert.equal(organization?.directory.organization.settings.topics_policy, undefined);
  }
});

test('long names and texts of brackets are imported', async () => {
  const brackets = `${'['.repeat(40_000)}${'[x]('.repeat(2000)}`;
  const root = ['import.jsonl', 6, 'post', 'message'];
  const files = replaced(mattermost, root, brackets) as Files;
  const emoji = { type: 'emoji', emoji: { name: `${'_'.repeat(200_000)}x`, image: 'emoji/x.png' } };
  const lines = files['import.jsonl'] as readonly Json[];
  const imported = await outcome({ ...files, 'import.jsonl': [...lines, emoji] }, readMattermostArchive);
  assert.equal(typeof imported, 'object', String(imported));
});

test('texts that PostgreSQL cannot store are imported without the bad characters', async () => {
  const bad = 'a\0b\ud800';
  const changed = [
    ['realm.json', 'zerver_realm', 0, 'name'], // wire name: its file
    ['realm.json', 'zerver_realm', 0, 'description'],
    ['realm.json', 'zerver_realmplayground', 0, 'name'],
    ['realm.json', 'zerver_stream', 0, 'description'],
    ['realm.json', 'zerver_draft', 0, 'content'],
    ['messages-000001.json', 'zerver_message', 0, 'content'],
    ['messages-000001.json', 'zerver_message', 0, 'subject'],
  ].reduce((files, path) => replaced(files, path, bad) as Files, zulip);
  const imported = await outcome(changed, readZulipArchive);
  assert(typeof imported !== 'string', String(imported));
  assert.equal(imported.rows.messages, 6);
});

test('names that the API refuses are mended in all archives, with a line in the report', async () => {
  const bad = 'Eve** <img src=x> @**all** |7';
  const archives: readonly (readonly [Files, ArchiveReader])[] = [
    [replaced(slack, ['users.json', 1, 'name'], bad) as Files, readSlackArchive],
    [replaced(mattermost, ['import.jsonl', 4, 'user', 'first_name'], bad) as Files, readMattermostArchive],
    [replaced(zulip, ['realm.json', 'zerver_userprofile', 1, 'full_name'], bad) as Files, readZulipArchive], // wire name: its table
  ];
  for (const [files, read] of archives) {
    const imported = await outcome(files, read);
    assert(typeof imported !== 'string', String(imported));
    const { rows } = await server.app.pool.query(
      'SELECT full_name FROM users WHERE organization_id = $1 AND full_name = $2',
      [imported.organizationId, 'Eve <img src=x all 7'],
    );
    assert.equal(rows.length, 1);
    const line = imported.lines.find(({ what }) => what === 'Users with another name than in the archive');
    assert.equal(line?.count, 1, JSON.stringify(imported.lines));
  }
});

test('addresses of the reference server that run code are left out, with a line in the report', async () => {
  const bad = 'javascript:alert(1)';
  const realm = withFields(zulip['realm.json'], 'zerver_realm', { jitsi_server_url: bad, video_chat_url: bad }); // wire name: its table
  const tables = {
    ...(realm as object),
    zerver_realmfilter: [{ id: 1, pattern: 'A(?P<id>\\d+)', url_template: `${bad}//{id}` }],
    zerver_realmplayground: [{ id: 1, name: 'x', pygments_language: 'Python', url_template: `${bad}{code}` }],
    zerver_customprofilefield: [
      { id: 1, name: 'a', field_type: 7, field_data: `{"subtype":"custom","url_pattern":"${bad}%(username)s"}` },
      { id: 2, name: 'b', field_type: 5, field_data: '' },
    ],
    zerver_customprofilefieldvalue: [{ id: 1, field: 2, user_profile: 10, value: bad }],
  };
  const imported = await outcome({ ...zulip, 'realm.json': tables as Json }, readZulipArchive); // wire name: its file
  assert(typeof imported !== 'string', String(imported));
  const organization = (await server.app.organizations.byId(imported.organizationId))?.directory.organization;
  assert.deepEqual(organization?.linkifiers ?? [], []);
  assert.deepEqual(organization?.playgrounds ?? [], []);
  assert.equal(organization?.settings.jitsi_server_url, undefined);
  const found = new Set(imported.lines.map(({ what }) => what));
  for (const what of [
    'Settings of the organization that are not valid here: they have their defaults',
    'Linkifiers whose pattern or address does not work here, or too many',
    'Code playgrounds that are not valid, or too many',
    'Profile fields that are not valid here, or too many',
    'Values of profiles that are not valid here',
  ])
    assert(found.has(what), what);
});
