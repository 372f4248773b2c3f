import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const TMPFS = 0x01021994;
const made = new Set<string>();
const models = new Map<string, Promise<string>>();

/**
 * A new directory for data that must be durable: under `TMPDIR`, which must be a disk, as syncing memory costs nothing.
 * Others may pass through it, as PostgreSQL runs as another user when we are root.
 */
export async function scratchDirectory(purpose: string): Promise<string> {
  if ((await statfs(tmpdir())).type === TMPFS) {
    throw new Error(`${tmpdir()} is in memory, where durable writes cost nothing: set TMPDIR to a directory on a disk`);
  }
  const directory = await mkdtemp(join(tmpdir(), `heddle-bench-${purpose}-`));
  made.add(directory);
  await chmod(directory, 0o755);
  return directory;
}

/**
 * A new directory that holds what `fill` leaves in one, which is filled once for all of the purpose: the others are copies, with the owners
 * and permissions that PostgreSQL insists on. Nothing may run in it when `fill` ends.
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

/** For the way out, when nothing can be awaited any more. */
export function removeAllScratch(): void {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
}
