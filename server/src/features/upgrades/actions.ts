import { sql } from 'kysely';
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { Organization } from '../../directory/organization.ts';
import { type ServerIdentity, THIS_SERVER } from '../../version.ts';

/**
 * Notifies the organization's clients of a new version or feature level, if it differs from the last one that they were notified of. Only a
 * server that started later may do so, because two versions side by side would otherwise contradict each other for ever.
 */
export async function tellVersion(db: Db, organization: Organization, server = THIS_SERVER): Promise<void> {
  const row = await db
    .selectFrom('organizations')
    .select('told_server')
    .where('id', '=', organization.id)
    .executeTakeFirst();
  if (row === undefined) return;
  const { told_server: notified } = row;
  // From before anything was stored: nobody knows what clients were notified of.
  if (notified === null) await note(db, organization.id, server);
  else if (isAnother(notified, server)) {
    await organization.transact('server', 'optimistic', async (change) => {
      if (!(await note(change.db, organization.id, server))) return;
      change.append({ type: 'restart', audience: { to: 'everyone' }, body: server });
      change.append({ type: 'web_reload_client', audience: { to: 'everyone' }, body: {} });
    });
  }
}

function isAnother(notified: ServerIdentity, server: ServerIdentity): boolean {
  const isSame =
    notified.version === server.version &&
    notified.mergeBase === server.mergeBase &&
    notified.featureLevel === server.featureLevel;
  return !isSame && notified.generation < server.generation;
}

/** Stores the version and returns whether it was another. Of several processes, one succeeds. The same rule as `isAnother`. */
async function note(db: Db | DbTransaction, organizationId: number, server: ServerIdentity): Promise<boolean> {
  const now = sql`${JSON.stringify(server)}::jsonb`;
  const { rows } = await sql`
    UPDATE organizations SET told_server = ${now}
     WHERE id = ${organizationId}
       AND (told_server IS NULL
         OR told_server - 'generation' <> ${now} - 'generation'
            AND told_server -> 'generation' < ${now} -> 'generation')
    RETURNING id`.execute(db);
  return rows.length > 0;
}
