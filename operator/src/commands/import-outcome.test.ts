import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '@heddle/server/testing/database/database.ts';
import { runCommand } from '@heddle/server/testing/server/command-line.ts';
import { temporaryDataDirectory } from '@heddle/server/testing/server/data-directory.ts';
import { type ZipEntry, zipOf } from '../testing/zip-archives.ts';

let database: TestDatabase;
let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let directory: string;
let place: Readonly<Record<string, string>>;
let made = 0;

before(async () => {
  [data, database] = await Promise.all([temporaryDataDirectory(), testDatabase()]);
  directory = await mkdtemp(join(tmpdir(), 'heddle-outcome-'));
  place = { HEDDLE_DATA_DIR: data.path, HEDDLE_DATABASE_URL: database.url };
});
after(async () => {
  await database.drop();
  await data.remove();
  await rm(directory, { recursive: true });
});

/** Imports an archive, and returns the exit code, the texts and the last line of the result. */
async function outcome(program: string, entries: readonly ZipEntry[], ...more: readonly string[]) {
  made += 1;
  const path = join(directory, `${made}.zip`);
  await writeFile(path, zipOf(entries));
  const { code, out, err } = await runCommand(['import', program, path, '--subdomain', `team${made}`, ...more], place);
  return { code, out, err, last: out.trimEnd().split('\n').at(-1) ?? '' };
}

const json = (name: string | Buffer, content: unknown): ZipEntry => ({ name, content: JSON.stringify(content) });

const slack = (folder: string | Buffer, messages: readonly unknown[]): readonly ZipEntry[] => [
  json('users.json', [{ id: 'U1', name: 'ada', is_owner: true, profile: { email: 'ada@example.com' } }]),
  json('channels.json', [{ id: 'C1', name: 'weben-köln', members: ['U1'] }]),
  json(Buffer.concat([Buffer.from(folder), Buffer.from('/2026-01-02.json')]), messages),
];

const good = { user: 'U1', ts: '1767312000.000100', text: 'hello' };
const ATTENTION = /^Attention: /;

test('a complete import of an archive with names in UTF-8 and no flag exits with 0', async () => {
  const { code, out, last } = await outcome('slack', slack('weben-köln', [good]));
  assert.equal(code, 0, out);
  assert.match(out, /^ {2}1 messages$/m);
  assert.doesNotMatch(last, ATTENTION);
});

test('an import that leaves out messages says so in its last line, and exits with 3', async () => {
  const other = { ...good, text: 'lost' };
  const cases: readonly (readonly [string, readonly ZipEntry[], number])[] = [
    // Neither UTF-8 nor a folder that a list names.
    ['slack', slack(Buffer.from('weben-k\u00f6ln', 'latin1'), [good, other]), 2],
    ['slack', slack('weben-köln', [good, { ...other, ts: 'soon' }, { ...other, ts: '' }, 'nonsense']), 3],
    ['slack', slack('weben-köln', [good, { ts: '1767312001.000100', text: 'whose?' }]), 1],
    ['mattermost', mattermost([{ create_at: 0 }, { user: undefined }, { channel: 'nowhere' }]), 3],
  ];
  for (const [program, entries, count] of cases) {
    const { code, out, err, last } = await outcome(program, entries);
    assert.equal(code, 3, out + err);
    const expected = count === 1 ? /^Attention: 1 message of/ : new RegExp(`^Attention: ${count} messages of`);
    assert.match(last, expected, out);
  }
  const { code, out } = await outcome('slack', slack('weben-köln', [good, { ...other, ts: 'soon' }]), '--json');
  const { messages_left_out: left, imported } = JSON.parse(out);
  assert.deepEqual([code, left, imported.messages], [3, 1, 1]);
});

test('notices of a program itself are no messages that are left out', async () => {
  const joined = { subtype: 'channel_join', user: 'U1', ts: '1767312001.000100', text: 'joined' };
  const { code, out } = await outcome('slack', slack('weben-köln', [good, joined]));
  assert.equal(code, 0, out);
  assert.match(out, /1 × Notices of Slack itself/);
});

test('a damaged archive ends with a sentence and 1', async () => {
  const [users, channels, day] = slack('weben-köln', [good]) as readonly [ZipEntry, ZipEntry, ZipEntry];
  for (const broken of [
    { ...day, size: 4, isCompressed: true },
    { ...day, checksum: 1 },
  ]) {
    const { code, out, err } = await outcome('slack', [users, channels, broken]);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^(?:.*\r)?Cannot read weben-köln\/2026-01-02\.json, which may be damaged: [^\n]+\.\n$/);
  }
});

/** Posts that lack or change a field, after a good one. */
function mattermost(changes: readonly object[]): readonly ZipEntry[] {
  const post = { team: 'loom', channel: 'square', user: 'ada', message: 'hello', create_at: 1_767_312_000_000 };
  const lines = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'loom', display_name: 'Loom' } },
    { type: 'channel', channel: { team: 'loom', name: 'square', display_name: 'Square', type: 'O' } },
    { type: 'user', user: { username: 'ada', email: 'ada@example.com', roles: 'system_admin' } },
    ...[{}, ...changes].map((change) => ({ type: 'post', post: { ...post, ...change } })),
  ];
  return [{ name: 'team/bulk.json', content: lines.map((line) => JSON.stringify(line)).join('\n') }];
}

test('a bulk export can be named .json, also alone', async () => {
  const [entry] = mattermost([]);
  const { code, out } = await outcome('mattermost', mattermost([]));
  assert.equal(code, 0, out);
  const path = join(directory, 'bulk.json');
  await writeFile(path, entry?.content ?? '');
  const alone = await runCommand(['import', 'mattermost', path, '--subdomain', 'alone'], place);
  assert.equal(alone.code, 0, alone.out + alone.err);
});
