/** The beginning of an import, and the removal of one that does not continue. */

import { THIS_SERVER } from '@heddle/server/version.ts';
import type pg from 'pg';
import type { ImportSession } from './session-type.ts';
import { BusyImportError, ImportError } from './source.ts';

export interface BegunImport {
  readonly organizationId: number;
  /** The rows of each table that an earlier run has copied. */
  readonly done: Readonly<Record<string, number>>;
}

/** A subdomain that no host can name, because of the space. */
export function hiddenSubdomain(subdomain: string): string {
  return `import of ${subdomain}`;
}

/** Only one process at a time imports into a subdomain. The lock ends with the connection. */
export async function lockSubdomain(client: pg.Client, subdomain: string): Promise<void> {
  const { rows } = await client.query<{ is: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('import'), hashtext($1)) AS is`,
    [subdomain],
  );
  if (rows[0]?.is !== true)
    throw new BusyImportError('Another process imports into this subdomain. Wait until it ends.');
}

/**
 * Finds an import that was interrupted, or begins a new one. The organization that it creates has no log, so no process can load it.
 * @throws ImportError the subdomain is taken, or the interrupted import was of another archive
 */
export async function beginImport(
  client: pg.Client,
  { subdomain, replaces }: Pick<ImportSession, 'subdomain' | 'replaces'>,
  fingerprint: string,
): Promise<BegunImport> {
  const { rows } = await client.query<{ id: number; source: string; progress: Record<string, number> }>(
    'SELECT organization_id AS id, source, progress FROM imports WHERE subdomain = $1',
    [subdomain],
  );
  const [earlier] = rows;
  if (earlier !== undefined) {
    if (earlier.source === fingerprint) return { organizationId: earlier.id, done: earlier.progress };
    throw new ImportError(
      'An import of another archive into this subdomain was interrupted. Run the command with that archive, or remove what it has imported with `import cancel`.',
    );
  }
  await checkFree(client, subdomain, replaces);
  const { rows: begun } = await client.query<{ id: number }>(
    `WITH organization AS (
       INSERT INTO organizations (subdomain, name, deactivated_at, told_server) VALUES ($1, $2, now(), $3::jsonb) RETURNING id)
     INSERT INTO imports (organization_id, subdomain, source) SELECT id, $4, $5 FROM organization
     RETURNING organization_id AS id`,
    [hiddenSubdomain(subdomain), 'Import', JSON.stringify(THIS_SERVER), subdomain, fingerprint],
  );
  return { organizationId: begun[0]?.id ?? 0, done: {} };
}

/**
 * @param replaces the organization that the imported one replaces, if any
 * @throws ImportError another organization has the subdomain
 */
export async function checkFree(client: pg.Client, subdomain: string, replaces: number | undefined): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM organizations WHERE subdomain = $1 AND id IS DISTINCT FROM $2', [
    subdomain,
    replaces ?? null,
  ]);
  if (rowCount === 0) return;
  throw new ImportError(
    subdomain === ''
      ? 'There is an organization at the root domain already. Choose another subdomain.'
      : `There is an organization at '${subdomain}' already. Choose another subdomain.`,
  );
}

/** Rows that one statement deletes. */
const ROWS_PER_DELETE = 20_000;

/**
 * Removes an interrupted import, in statements of some thousand rows. If this is interrupted, it can run again.
 * @param tables tables to which others refer come first
 * @returns whether there was one
 */
export async function cancelImport(client: pg.Client, subdomain: string, tables: readonly string[]): Promise<boolean> {
  const { rows } = await client.query<{ id: number }>(
    'SELECT organization_id AS id FROM imports WHERE subdomain = $1',
    [subdomain],
  );
  const [found] = rows;
  if (found === undefined) return false;
  await client.query(
    `INSERT INTO storage_leftovers (key, due_at) SELECT storage_key, now() FROM attachments WHERE organization_id = $1
     ON CONFLICT (key) DO UPDATE SET due_at = now()`,
    [found.id],
  );
  await client.query('UPDATE users SET bot_owner_id = NULL WHERE organization_id = $1', [found.id]);
  for (const table of tables.filter((name) => name !== 'organizations').toReversed()) {
    for (;;) {
      const { rowCount } = await client.query(
        `DELETE FROM "${table}" WHERE ctid = ANY (ARRAY(SELECT ctid FROM "${table}" WHERE organization_id = $1 LIMIT ${ROWS_PER_DELETE}))`,
        [found.id],
      );
      if ((rowCount ?? 0) < ROWS_PER_DELETE) break;
    }
  }
  await client.query('DELETE FROM imports WHERE organization_id = $1', [found.id]);
  await client.query('DELETE FROM organizations WHERE id = $1', [found.id]);
  return true;
}
