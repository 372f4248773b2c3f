import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty directory for a server's data, which its PostgreSQL can reach even if it runs as another user. */
export async function temporaryDataDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'heddle-data-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
