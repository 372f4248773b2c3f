import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { archiveDirectory } from '../../testing/imported.ts';
import { type ZipEntry, zipOf } from '../../testing/zip-archives.ts';
import { openArchive } from './open-archive.ts';

let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let made = 0;

before(async () => {
  directory = await archiveDirectory();
});
after(() => directory.remove());

async function written(content: Buffer | string, ending = 'zip'): Promise<string> {
  made += 1;
  const path = join(directory.path, `archive-${made}.${ending}`);
  await writeFile(path, content);
  return path;
}

/** The files of an archive with their content. */
async function contentOf(path: string): Promise<Readonly<Record<string, string>>> {
  const archive = await openArchive(path, directory.path, () => undefined);
  try {
    const found: Record<string, string> = {};
    for (const name of archive.files.keys())
      found[name] = Buffer.concat(await (await archive.open(name)).toArray()).toString();
    return found;
  } finally {
    await archive.close();
  }
}

const ofZip = async (entries: readonly ZipEntry[]) => contentOf(await written(zipOf(entries)));

async function refusal(content: Buffer): Promise<string> {
  try {
    await contentOf(await written(content));
  } catch (error) {
    assert(error instanceof Error && error.name === 'ImportError', String(error));
    assert.match(error.message, /^[^\n]+\.$/, 'it is one sentence');
    return error.message;
  }
  return assert.fail('the archive was read');
}

const OTHER = { name: 'b', content: '' };
const UTF8_MASK = 0x800;
const ENCRYPTED_MASK = 1;

test('names that are valid UTF-8 are UTF-8, with and without the flag, and others are in code page 437', async () => {
  for (const flags of [0, UTF8_MASK]) {
    for (const name of ['weben-köln/x.json', '日本語/ファイル.txt', 'emoji-🧶.txt', '\ufeffmark.txt'])
      assert.deepEqual(await ofZip([{ name, content: 'x', flags }, OTHER]), { [name]: 'x', b: '' }, name);
  }
  // ö is the byte 0x94 in code page 437, and no valid UTF-8.
  const old = await ofZip([{ name: Buffer.from('k\u0094ln.txt', 'latin1'), content: 'x' }]);
  assert.deepEqual(old, { 'köln.txt': 'x' });
});

test('a letter that a system writes as two characters is the same letter', async () => {
  const name = 'köln/Übersicht.txt';
  const archive = await openArchive(
    await written(zipOf([{ name: name.normalize('NFD'), content: 'x' }, OTHER])),
    directory.path,
    () => undefined,
  );
  for (const form of ['NFC', 'NFD']) {
    assert.equal(archive.files.get(name.normalize(form)), 1);
    assert.equal(String(await (await archive.open(name.normalize(form))).toArray()), 'x');
  }
  await archive.close();
  const both = [name.normalize('NFC'), name.normalize('NFD')].map((one) => ({ name: one, content: 'x' }));
  assert.match(await refusal(zipOf(both)), /twice/);
});

test('a folder around everything, and what file managers add, do not count', async () => {
  const junk = [
    '__MACOSX/team/._users.json',
    '.DS_Store',
    'team/.DS_Store',
    'team/._users.json',
    'Thumbs.db',
    '._team',
  ];
  const added = junk.map((name) => ({ name, content: 'junk' }));
  const own = { 'users.json': '[]', 'square/2026-01-02.json': '[1]' };
  const inFolder = (folder: string) =>
    Object.entries(own).map(([name, content]) => ({ name: `${folder}${name}`, content }));
  assert.deepEqual(await ofZip([...inFolder('team/'), ...added]), own);
  assert.deepEqual(await ofZip([{ name: 'a/', content: '' }, ...inFolder('a/my team köln/')]), own);
  assert.deepEqual(await ofZip(inFolder('')), own);
  assert.deepEqual(await ofZip([...inFolder(''), { name: '._lonely', content: 'x' }]), { ...own, '._lonely': 'x' });

  const unpacked = join(directory.path, 'unpacked-folder');
  for (const { name, content } of [...inFolder('team/'), ...added]) {
    await mkdir(dirname(join(unpacked, name)), { recursive: true });
    await writeFile(join(unpacked, name), content);
  }
  assert.deepEqual(await contentOf(unpacked), own);
});

test('archives with sizes and places of 64 bits are read', async () => {
  const entries = [
    { name: 'a', content: 'one', isLarge: true, isCompressed: true },
    { name: 'b', content: 'two', isLarge: true },
  ];
  assert.deepEqual(await ofZip(entries), { a: 'one', b: 'two' });
});

test('entries that differ from what the directory says are refused with a sentence', async () => {
  const entry = { name: 'users.json', content: 'x'.repeat(1000) };
  const isCompressed = true;
  assert.match(await refusal(zipOf([{ ...entry, isCompressed, size: 10 }])), /users\.json.*damaged.*too many bytes/);
  assert.match(
    await refusal(zipOf([{ ...entry, isCompressed, size: 9999 }])),
    /users\.json.*damaged.*not enough bytes/,
  );
  assert.match(await refusal(zipOf([{ ...entry, size: 10 }])), /damaged/);
  for (const compressed of [true, false]) {
    const wrong = { ...entry, isCompressed: compressed, checksum: 5 };
    assert.match(await refusal(zipOf([wrong])), /users\.json.*differs from its checksum/);
  }
});

test('truncated, encrypted, overlapping and other archives that cannot be read are refused with a sentence', async () => {
  const whole = zipOf([
    { name: 'a', content: 'x'.repeat(1000) },
    { name: 'b', content: 'y'.repeat(1000) },
  ]);
  for (const length of [0, 1, 30, 500, 1500, whole.length - 60, whole.length - 1])
    assert.match(await refusal(whole.subarray(0, length)), /Cannot read .*zip/, String(length));
  // The beginning is missing, and the directory is complete.
  assert.match(await refusal(whole.subarray(400)), /Cannot read/);
  assert.match(await refusal(zipOf([{ name: 'a', content: 'x', flags: ENCRYPTED_MASK }])), /is encrypted/);
  const shared = { content: 'x'.repeat(100), isCompressed: true };
  assert.match(
    await refusal(
      zipOf([
        { name: 'a', ...shared },
        { name: 'b', ...shared, at: 0 },
      ]),
    ),
    /several entries have the same compressed bytes/,
  );
  const bomb = { name: 'a', content: Buffer.alloc(20_000_000), isCompressed: true };
  assert.match(await refusal(zipOf([bomb])), /250 times larger/);
  assert.match(await refusal(zipOf([{ ...bomb, size: 10 }])), /too many bytes/);
  const damagedData = zipOf([{ name: 'a', content: 'hello hello hello', isCompressed: true }]);
  damagedData[31] = 7;
  assert.match(await refusal(damagedData), /Cannot read a, which may be damaged/);
});
