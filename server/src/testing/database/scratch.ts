import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { availableMemory } from 'node:process';
import { isAlive } from '@heddle/embedded-postgres/processes.ts';

/**
 * A file system in memory, which every Linux has. PostgreSQL clones a database there in a tenth of the time that a disk
 * takes.
 */
const IN_MEMORY = '/dev/shm';

/** A whole run uses less than 2 GB at a time. Some containers have a file system of only 64 MB there. */
const ROOM_BYTES = 4 * 1024 ** 3;
const MEMORY_BYTES = 8 * 1024 ** 3;

const PREFIX = 'heddle-run-';

/** A directory for all files of this process and its programs, in memory if there is enough space. */
export function makeScratch(parent = hasRoom() ? IN_MEMORY : tmpdir()): string {
  removeAbandoned(parent);
  const directory = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // Like /tmp, because some tests start programs as other users.
  chmodSync(directory, 0o1777);
  return directory;
}

export function removeScratch(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES && availableMemory() >= MEMORY_BYTES;
  } catch {
    return false;
  }
}

/**
 * Removes leftovers of killed runs. A PostgreSQL that still runs there ends when its files are missing. A file system that a test has mounted
 * there stays.
 */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      removeScratch(join(parent, name));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EBUSY')) throw error;
    }
  }
}
