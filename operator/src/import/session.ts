/** One process that imports into one subdomain, with its connection and its private directory. */
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionSettings } from '@heddle/server/db/connection-settings.ts';
import type { AppContext } from '@heddle/server/extension/app-context.ts';
import { openBackupConnection } from '../backup/tables.ts';
import { checkFree, lockSubdomain } from './beginning.ts';
import type { ImportSession } from './session-type.ts';

interface Opening {
  readonly config: Pick<AppContext['config'], 'dataDirectory'>;
  readonly connection: ConnectionSettings;
}

/**
 * Locks the subdomain while `run` imports. The directory belongs to the subdomain, so an import finds and removes what a killed one has left.
 * @throws ImportError another process imports into the subdomain, or an organization has it
 */
export async function withImportSession<Result>(
  { config, connection }: Opening,
  { subdomain, replaces }: Pick<ImportSession, 'subdomain' | 'replaces'>,
  run: (session: ImportSession) => Promise<Result>,
): Promise<Result> {
  const client = await openBackupConnection(connection, 'heddle import');
  try {
    await lockSubdomain(client, subdomain);
    await checkFree(client, subdomain, replaces);
    const workDirectory = workDirectoryOf(config, subdomain);
    await rm(workDirectory, { recursive: true, force: true });
    await mkdir(workDirectory, { recursive: true, mode: 0o700 });
    try {
      return await run({ subdomain, replaces, client, workDirectory });
    } finally {
      await rm(workDirectory, { recursive: true, force: true });
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The same for each process that imports into the subdomain. */
export function workDirectoryOf(
  { dataDirectory }: Pick<AppContext['config'], 'dataDirectory'>,
  subdomain: string,
): string {
  return join(dataDirectory, 'imports', createHash('sha256').update(subdomain).digest('hex').slice(0, 16));
}
