import { sql } from 'kysely';
import type { AppContext } from '../../extension/app-context.ts';
import { deleteFiles } from './attachments.ts';

/** A file that never had links, or has had none for this time, is deleted. */
const UNLINKED_FILE_LIFETIME_WEEKS = 5;
/** Files per commit. */
const FILES_PER_COMMIT = 200;

interface Unlinked {
  organization_id: number;
  ids: number[];
}

/**
 * Deletes files that no message has linked to for weeks, and notifies their owners. Index: attachments_unlinked.
 * @param at the current time
 */
export async function deleteUnlinked(
  { db, organizations }: Pick<AppContext, 'db' | 'organizations'>,
  { at, signal }: { readonly at: Date; readonly signal: AbortSignal },
): Promise<void> {
  const isPast = sql`unlinked_since < ${at}::timestamptz - make_interval(weeks => ${UNLINKED_FILE_LIFETIME_WEEKS})`;
  while (!signal.aborted) {
    const { rows } = await sql<Unlinked>`
      SELECT organization_id, array_agg(id) AS ids
        FROM (SELECT organization_id, id FROM attachments WHERE ${isPast} ORDER BY unlinked_since LIMIT ${FILES_PER_COMMIT}) AS unlinked
       GROUP BY organization_id`.execute(db);
    if (rows.length === 0) return;
    for (const { organization_id: organizationId, ids } of rows) {
      const organization = await organizations.byId(organizationId);
      if (organization === undefined) throw new Error(`organization ${organizationId} has files, and is not there`);
      await organization.transact('server', 'optimistic', async (change) => {
        const { rows: locked } = await sql<{ id: number }>`
          SELECT id FROM attachments
           WHERE organization_id = ${organizationId} AND id = ANY (${ids}::bigint[]) AND ${isPast}
           ORDER BY id FOR UPDATE`.execute(change.db);
        await deleteFiles(
          change,
          locked.map(({ id }) => id),
        );
      });
    }
  }
}
