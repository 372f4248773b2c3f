import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openPromise } from 'yauzl';
import { ZipWriter } from './zip-writer.ts';

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-zip-'));
});
after(() => rm(directory, { recursive: true }));

const signal = new AbortController().signal;
const stored = { isCompressed: false, signal };

async function* pieces(...chunks: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

/** Writes an archive into a file. Returns its path. */
async function written(name: string, fill: (zip: ZipWriter) => Promise<void>): Promise<string> {
  const path = join(directory, name);
  const file = createWriteStream(path);
  const zip = new ZipWriter(
    (bytes) => new Promise((resolve) => (file.write(bytes) ? resolve() : file.once('drain', resolve))),
    new Date('2026-05-06T07:08:10Z'),
  );
  await fill(zip);
  const size = await zip.end(signal);
  await new Promise((resolve) => file.end(resolve));
  assert.equal(file.bytesWritten, size);
  return path;
}

interface Read {
  readonly names: readonly string[];
  readonly sha256: readonly string[];
  readonly entries: readonly { readonly time: Date; readonly method: number }[];
}

async function read(path: string): Promise<Read> {
  const zip = await openPromise(path, { lazyEntries: true });
  const [names, sha256, entries]: [string[], string[], Read['entries'][number][]] = [[], [], []];
  for await (const entry of zip.eachEntry()) {
    names.push(entry.fileName);
    entries.push({ time: entry.getLastModDate({ timezone: 'UTC' }), method: entry.compressionMethod });
    const hash = createHash('sha256');
    for await (const chunk of await zip.openReadStreamPromise(entry)) hash.update(chunk); // wire name: yauzl's
    sha256.push(hash.digest('hex'));
  }
  return { names, sha256, entries };
}

/** Other programs check each entry with its checksum. */
function checkWithOthers(path: string): void {
  assert.match(execFileSync('unzip', ['-tq', path], { encoding: 'utf8' }), /No errors detected/);
  const check = 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())';
  assert.equal(execFileSync('python3', ['-c', check, path], { encoding: 'utf8' }), 'None\n');
}

const sha256Of = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

// rules: exports-4
test('other programs read stored and compressed entries, also empty ones and names in UTF-8', async () => {
  const random = randomBytes(300_000);
  const path = await written('some.zip', async (zip) => {
    await zip.add('rows.jsonl', pieces('{"a":1}\n'.repeat(10_000), '{}\n'), { isCompressed: true, signal });
    await zip.add('uploads/1', pieces(random.subarray(0, 1000), random.subarray(1000)), stored);
    await zip.add('uploads/2', pieces(), stored);
    await zip.add('empty', pieces(), { isCompressed: true, signal });
    await zip.add('Webstühle/織機', pieces('ö'), stored);
  });
  const { names, sha256, entries } = await read(path);
  assert.deepEqual(names, ['rows.jsonl', 'uploads/1', 'uploads/2', 'empty', 'Webstühle/織機']);
  const contents = [`${'{"a":1}\n'.repeat(10_000)}{}\n`, random, '', '', 'ö'];
  assert.deepEqual(sha256, contents.map(sha256Of));
  assert.deepEqual(
    entries.map(({ method }) => method),
    [8, 0, 0, 8, 0],
  );
  assert.deepEqual(entries[0]?.time, new Date('2026-05-06T07:08:10Z'));
  checkWithOthers(path);
});

test('an archive without entries can be read', async () => {
  assert.deepEqual((await read(await written('empty.zip', async () => undefined))).names, []);
});

// rules: exports-4
test('an archive can have more than 65,535 entries', async () => {
  const path = await written('many.zip', async (zip) => {
    for (let id = 0; id < 70_000; id += 1) await zip.add(`uploads/${id}`, pieces(`${id}`), stored);
  });
  const zip = await openPromise(path, { lazyEntries: true });
  assert.equal(zip.entryCount, 70_000);
  zip.close();
  checkWithOthers(path);
});

test('the records have zip64 fields for entries and offsets above 4 GB', async () => {
  // The file is not stored: the bytes of the large entry are only counted.
  const kept: Buffer[] = [];
  const zip = new ZipWriter(async (bytes) => {
    if (bytes.length < 1_000_000) kept.push(bytes);
  });
  const chunk = Buffer.alloc(64 * 1024 * 1024);
  await zip.add('large', repeated(chunk, 65), stored);
  await zip.add('behind', pieces('x'), stored);
  const size = await zip.end(signal);
  const large = 65 * chunk.length;
  const bytes = Buffer.concat(kept);
  assert.equal(size, bytes.length + large);
  const local = 30 + 5 + 20;
  assert.equal(bytes.readBigUInt64LE(local + 8), BigInt(large), 'the data descriptor');
  // The zip64 fields of the central directory: both sizes of the first entry, the offset of the second.
  const first = bytes.indexOf(Buffer.from('PK\u0001\u0002'));
  assert.equal(bytes.readUInt32LE(first + 24), 0xffffffff);
  assert.equal(bytes.readUInt16LE(first + 46 + 5 + 2), 16);
  assert.equal(bytes.readBigUInt64LE(first + 46 + 5 + 4), BigInt(large));
  const second = first + 46 + 5 + 20;
  assert.equal(bytes.readUInt32LE(second + 24), 1);
  assert.equal(bytes.readBigUInt64LE(second + 46 + 6 + 4), BigInt(local + large + 24));
  assert(bytes.includes(Buffer.from('PK\u0006\u0006')));
});

async function* repeated(chunk: Buffer, times: number): AsyncGenerator<Buffer> {
  for (let count = 0; count < times; count += 1) yield chunk;
}
