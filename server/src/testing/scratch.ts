import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { availableMemory } from 'node:process';
import { isAlive } from '@heddle/embedded-postgres/processes.ts';

/** A file system in memory, which every Linux has. PostgreSQL clones a database there in a tenth of the time that a disk takes. */
const IN_MEMORY = '/dev/shm';

/** A whole run keeps less than 2 GB at a time. Some containers have a file system of 64 MB there. */
const ROOM_BYTES = 4 * 1024 ** 3;
const MEMORY_BYTES = 8 * 1024 ** 3;

const PREFIX = 'heddle-run-';

/** A directory for all files that this process and its programs write, in memory where there is room. */
export function makeScratch(parent = hasRoom() ? IN_MEMORY : tmpdir()): string {
  removeAbandoned(parent);
  const directory = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // Like /tmp: some tests start programs as other users.
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

/** Removes what killed runs left. A PostgreSQL that still runs there ends when it misses its files. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) removeScratch(join(parent, name));
  }
}
