import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmdirSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { killCluster } from './fixture.ts';

/** Creates a file system of a few mebibytes. Returns null and skips the test if mounting is not permitted. */
export function smallDisk(t: TestContext, mebibytes: number): string | null {
  const mountPoint = mkdtempSync(join(realpathSync(tmpdir()), 'heddle-disk-'));
  try {
    const options = `size=${mebibytes}m,mode=0755`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', mountPoint], { stdio: 'pipe' });
  } catch (error) {
    rmdirSync(mountPoint);
    t.skip(`mounting a small file system is not permitted: ${error instanceof Error ? error.message : error}`);
    return null;
  }
  t.after(async () => {
    await killCluster(join(mountPoint, 'data'));
    execFileSync('umount', ['--lazy', mountPoint]);
    rmdirSync(mountPoint);
  });
  return mountPoint;
}

/** Writes to a file until the disk is full. */
export function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const size of [1_048_576, 4_096]) {
      const block = Buffer.alloc(size, 1);
      for (let written = size; written === size; ) written = writeSome(file, block);
    }
  } finally {
    closeSync(file);
  }
}

/** Appends to a file what is free on the disk at the call, except for `leftBytes`. Space that becomes free meanwhile stays free. */
export function fillExcept(path: string, leftBytes: number): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  const file = openSync(path, 'a');
  try {
    let missing = bavail * bsize - leftBytes;
    while (missing > 0) {
      const written = writeSome(file, Buffer.alloc(Math.min(missing, 1_048_576), 1));
      if (written === 0) return;
      missing -= written;
    }
  } finally {
    closeSync(file);
  }
}

function writeSome(file: number, block: Buffer): number {
  try {
    return writeSync(file, block);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return 0;
    throw error;
  }
}
