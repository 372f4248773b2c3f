import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const TMPFS = 0x01021994;
const made = new Set<string>();
let isMemoryAllowed = false;

/** Allows data in memory, for quick runs without meaningful results. */
export function allowMemory(): void {
  isMemoryAllowed = true;
}

const models = new Map<string, Promise<string>>();

/**
 * A new directory for durable data, under `TMPDIR`. `TMPDIR` must be on a disk, because syncing memory costs no time. Other users can traverse
 * the directory, because PostgreSQL runs as another user if the harness runs as root.
 */
export async function scratchDirectory(purpose: string): Promise<string> {
  if (!isMemoryAllowed && (await statfs(tmpdir())).type === TMPFS) {
    throw new Error(`${tmpdir()} is in memory, where durable writes cost nothing: set TMPDIR to a directory on a disk`);
  }
  const directory = await mkdtemp(join(tmpdir(), `heddle-bench-${purpose}-`));
  made.add(directory);
  await chmod(directory, 0o755);
  return directory;
}

/**
 * A new directory with the contents that `fill` creates. `fill` runs once per purpose; later directories are copies with the owners and
 * permissions that PostgreSQL requires. No process can use the directory when `fill` returns.
 */
export async function filledDirectory(purpose: string, fill: (directory: string) => Promise<void>): Promise<string> {
  const known = models.get(purpose);
  const model = known ?? scratchDirectory(purpose).then((directory) => fill(directory).then(() => directory));
  models.set(purpose, model);
  const [source, directory] = [await model, await scratchDirectory(purpose)];
  await promisify(execFile)('cp', ['-a', `${source}/.`, directory]);
  return directory;
}

export async function removeScratch(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  made.delete(directory);
}

/** Synchronous, for the exit of the process. */
export function removeAllScratch(): void {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
}
