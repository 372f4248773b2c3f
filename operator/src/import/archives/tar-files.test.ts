import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { archiveDirectory } from '../../testing/imported.ts';
import { type TarEntry, writeTar } from '../../testing/tar-archives.ts';
import { openArchive } from './open-archive.ts';

let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let made = 0;

before(async () => {
  directory = await archiveDirectory();
});
after(() => directory.remove());

/** Opens a file with a working directory of its own. */
async function opened(path: string) {
  made += 1;
  const work = join(directory.path, `work-${made}`);
  await mkdir(work);
  return { archive: await openArchive(path, work, () => undefined), work };
}

async function refusalOf(entries: readonly TarEntry[]): Promise<string> {
  const path = join(directory.path, `hostile-${made}.tar.gz`);
  await writeTar(path, entries);
  return await refusalOfFile(path);
}

async function refusalOfFile(path: string): Promise<string> {
  const error = await opened(path).then(
    () => undefined,
    (reason: Error) => reason,
  );
  assert.equal(error?.name, 'ImportError', String(error));
  return error?.message ?? '';
}

test('files of compressed and plain tar archives are read in any order', async () => {
  for (const name of ['a.tar.gz', 'a.tgz', 'a.tar']) {
    const path = join(directory.path, name);
    await writeTar(path, [
      { path: './folder', type: 'Directory' },
      { path: './folder/one.txt', content: 'one' },
      { path: './folder/empty.txt' },
      { path: 'two.txt', content: 'x'.repeat(100_000) },
    ]);
    const { archive } = await opened(path);
    assert.deepEqual(
      [...archive.files],
      [
        ['folder/one.txt', 3],
        ['folder/empty.txt', 0],
        ['two.txt', 100_000],
      ],
    );
    assert.equal(await text(await archive.open('two.txt')), 'x'.repeat(100_000));
    assert.equal(await text(await archive.open('folder/one.txt')), 'one');
    assert.equal(await text(await archive.open('folder/empty.txt')), '');
    await archive.close();
  }
});

test('links and devices are not unpacked, and no file has a name of the archive', async () => {
  const path = join(directory.path, 'links.tar.gz');
  await writeTar(path, [
    { path: 'passwd', type: 'SymbolicLink', linkpath: '/etc/passwd' },
    { path: 'shadow', type: 'Link', linkpath: '/etc/shadow' },
    { path: 'pipe', type: 'FIFO' },
    { path: 'device', type: 'CharacterDevice' },
    { path: 'passwd/evil', content: 'through the link' },
  ]);
  const { archive, work } = await opened(path);
  assert.deepEqual(archive.ignored, ['passwd', 'shadow', 'pipe', 'device']);
  assert.deepEqual([...archive.files.keys()], ['passwd/evil']);
  const found = await readdir(work, { recursive: true });
  assert.deepEqual(found.toSorted(), ['unpacked', 'unpacked/0', 'unpacked/0/0']);
  assert.equal(await readFile(join(work, 'unpacked/0/0'), 'utf8'), 'through the link');
});

test('paths that lead out, and names that occur twice, are refused', async () => {
  assert.match(await refusalOf([{ path: '../evil', content: 'x' }]), /leads out of the archive/);
  assert.match(await refusalOf([{ path: 'a/../../evil', content: 'x' }]), /leads out of the archive/);
  assert.match(await refusalOf([{ path: '/etc/evil', content: 'x' }]), /is absolute/);
  assert.match(await refusalOf([{ path: '..\\evil', content: 'x' }]), /characters that are not allowed/);
  assert.match(
    await refusalOf([
      { path: 'a', content: '1' },
      { path: './a', content: '2' },
    ]),
    /has "a" twice/,
  );
});

test('archives that are bombs, damaged or not archives are refused', async () => {
  assert.match(await refusalOf([{ path: 'bomb', content: '0'.repeat(40_000_000) }]), /250 times larger/);
  const path = join(directory.path, 'damaged.tar.gz');
  await writeFile(path, 'not a tar archive');
  assert.match(await refusalOfFile(path), /Cannot read .*damaged\.tar\.gz|is not a tar archive/);
  await writeFile(path, gzipSync(Buffer.alloc(1024)));
  assert.match(await refusalOfFile(path), /Cannot read|is not a tar archive, or it is empty/);
  await writeFile(path, gzipSync(Buffer.alloc(200_000_000)));
  assert.match(await refusalOfFile(path), /Cannot read .*Unrecognized/);
  await writeTar(path, [{ path: 'a', content: 'x' }]);
  await writeFile(path, gzipSync(await readFile(path)));
  assert.match(await refusalOfFile(path), /compressed more than once/);
  await writeFile(path, '');
  assert.match(await refusalOfFile(path), /Cannot read|is not a tar archive, or it is empty/);
  const noise = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index * 31) % 251));
  await writeTar(path, [
    { path: 'a', content: noise },
    { path: 'b', content: 'x' },
  ]);
  await truncate(path, 500);
  assert.match(await refusalOfFile(path), /Cannot read .*damaged\.tar\.gz/);
  const plain = join(directory.path, 'short.tar');
  await writeTar(plain, [{ path: 'a', content: noise }]);
  await truncate(plain, 2000);
  assert.match(await refusalOfFile(plain), /Cannot read .*short\.tar/);
});

test('unpacking stops with the reason of its caller', async () => {
  const path = join(directory.path, 'many.tar.gz');
  await writeTar(
    path,
    Array.from({ length: 500 }, (_, index) => ({ path: `file ${index}`, content: 'x' })),
  );
  const reason = new Error('interrupted');
  const stop = (files: number) => {
    if (files >= 200) throw reason;
  };
  await assert.rejects(openArchive(path, await mkdtemp(join(directory.path, 'work-')), stop), reason);
});
