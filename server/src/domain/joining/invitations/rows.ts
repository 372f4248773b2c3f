/** The table `invitations`. */
import { sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../../../db/schema.ts';
import { hashOfKey } from '../../texts/shared/link-keys.ts';

export type Invitation = Row<'invitations'>;

/** Open invitations of an organization, links included. No one could read a longer list. */
export const MAX_OPEN_INVITATIONS = 5000;
/** Days after its end for which the page can say what became of an invitation. */
const KEPT_DAYS = 90;

/** The open invitations, the oldest first: of one inviter, or of all. */
export async function openInvitations(
  db: Db | DbTransaction,
  organizationId: number,
  inviterId?: number,
): Promise<readonly Invitation[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
    .$if(inviterId !== undefined, (query) => query.where('inviter_id', '=', inviterId ?? 0))
    .orderBy('id')
    .limit(MAX_OPEN_INVITATIONS)
    .execute();
}

/** The number of open invitations of the organization, and of those of one inviter. */
export async function countOpen(
  db: DbTransaction,
  organizationId: number,
  inviterId: number,
): Promise<{ readonly all: number; readonly own: number }> {
  const { rows } = await sql<{ all: number; own: number }>`
    SELECT count(*)::integer AS all, (count(*) FILTER (WHERE inviter_id = ${inviterId}))::integer AS own FROM invitations
     WHERE organization_id = ${organizationId} AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > now())`.execute(
    db,
  );
  return rows[0] ?? { all: 0, own: 0 };
}

/** The number of invitation mails of the organization in the last 24 hours. */
export async function mailedToday(db: DbTransaction, organizationId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM invitations, unnest(mailed_at) AS moment
     WHERE organization_id = ${organizationId} AND moment > now() - interval '1 day'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Locks the row until the transaction ends. Index: the primary key. */
export async function lockInvitation(
  db: DbTransaction,
  organizationId: number,
  id: number,
): Promise<Invitation | undefined> {
  return named(db, organizationId, id).forUpdate().executeTakeFirst();
}

/** Index: the primary key. */
export async function invitationById(
  db: Db | DbTransaction,
  organizationId: number,
  id: number,
): Promise<Invitation | undefined> {
  return named(db, organizationId, id).executeTakeFirst();
}

function named(db: Db | DbTransaction, organizationId: number, id: number) {
  return db.selectFrom('invitations').selectAll().where('organization_id', '=', organizationId).where('id', '=', id);
}

/** Index: invitations_by_key. */
export async function invitationByKey(
  db: Db | DbTransaction,
  organizationId: number,
  key: string,
): Promise<Invitation | undefined> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('key_hash', '=', hashOfKey(key))
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
}

/** Open mail invitations to an address, the newest first, at most 100. Index: invitations_by_email. */
export async function openInvitationsTo(
  db: Db | DbTransaction,
  organizationId: number,
  email: string,
): Promise<readonly Invitation[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('ended_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
}

export async function endInvitation(
  db: DbTransaction,
  { organization_id, id }: Pick<Invitation, 'organization_id' | 'id'>,
  ending: 'used' | 'revoked',
): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ ended_at: sql<Date>`now()`, ending })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

/** Ends all mail invitations to an address that has an account now. */
export async function endInvitationsTo(db: DbTransaction, organizationId: number, email: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ ended_at: sql<Date>`now()`, ending: 'revoked' })
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes invitations that ended long ago. */
export async function forgetOld(db: DbTransaction, organizationId: number): Promise<void> {
  await sql`
    DELETE FROM invitations
     WHERE organization_id = ${organizationId}
       AND least(ended_at, expires_at) < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
}
