import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { DiskStorage } from './disk.ts';
import { PiecewiseDisk } from './resumable.ts';
import { newKey } from './storage.ts';

const MIB = 1024 * 1024;

async function scratch(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-disk-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

/** A stream that never ends. */
function endless(): Readable {
  return Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(MIB); // timing: an endless body
    })(),
    { objectMode: false },
  );
}

test('an upload is refused once the disk has no more free space', async (t) => {
  const directory = await scratch(t);
  const { bavail, bsize } = await statfs(directory);
  const disk = new DiskStorage(directory, bavail * bsize - 32 * MIB);
  await assert.rejects(disk.put(newKey(), endless()), { status: 503 });
});

test('a piece of an upload is refused once the disk has no more free space, and earlier bytes stay', async (t) => {
  const directory = await scratch(t);
  const { bavail, bsize } = await statfs(directory);
  const disk = new DiskStorage(directory, bavail * bsize - 32 * MIB);
  const key = newKey();
  const pieces = new PiecewiseDisk(disk);
  await pieces.begin(key);
  await assert.rejects(
    pieces.append(key, 0, endless(), () => undefined),
    { status: 503 },
  );
  assert((await stat(disk.pathOf(key))).size > 0);
});
