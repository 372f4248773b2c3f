/** Links about somebody's own account, as the database keeps them. Whoever gets one by mail is whoever reads mails to that address. */
import { sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../../db/schema.ts';
import { hashOfKey, type LinkPurpose, newLink } from '../link-keys.ts';
import type { Rooms } from '../rooms.ts';

export type AccountLink = Row<'account_links'>;
export type AccountPurpose = Exclude<LinkPurpose, 'invitation' | 'joining'>;

/** A link is good for so long. */
const LASTS = sql.lit('1 day');
/** For one address, and for one account (reference: the limits of mails for these two purposes). */
const MOST_AN_HOUR = 2;
const MOST_A_DAY = 5;

export interface LinkToMake {
  readonly organizationId: number;
  readonly purpose: AccountPurpose;
  /** null: nobody has the address. */
  readonly userId: number | null;
  readonly address: string;
}

/**
 * Makes a link.
 * @returns its id; undefined where the address or the account has had its share. Indexes: account_links_by_address, account_links_by_user.
 */
export async function makeLink(
  { secret }: Pick<Rooms, 'secret'>,
  db: DbTransaction,
  { organizationId, purpose, userId, address }: LinkToMake,
): Promise<number | undefined> {
  // Those for one address take turns: as many as come at once are counted.
  await sql`SELECT pg_advisory_xact_lock(${organizationId}::integer, hashtext(lower(${address})))`.execute(db);
  const { rows } = await sql<{ this_hour: number; today: number }>`
    SELECT count(*) FILTER (WHERE created_at > now() - interval '1 hour') AS this_hour, count(*) AS today
      FROM account_links
     WHERE organization_id = ${organizationId} AND purpose = ${purpose} AND created_at > now() - interval '1 day'
       AND (lower(address) = lower(${address}) OR user_id = ${userId})`.execute(db);
  const [had] = rows;
  if (had === undefined || had.this_hour >= MOST_AN_HOUR || had.today >= MOST_A_DAY) return undefined;
  const { nonce, keyHash } = newLink(secret, purpose);
  const { id } = await db
    .insertInto('account_links')
    .values({ organization_id: organizationId, purpose, user_id: userId, address, nonce, key_hash: keyHash })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** As long as it can be used. Index: the primary key. */
export async function openLinkById(
  db: Db | DbTransaction,
  organizationId: number,
  id: number,
): Promise<AccountLink | undefined> {
  return db
    .selectFrom('account_links')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - ${LASTS}::interval`)
    .executeTakeFirst();
}

/** The organization's, for this purpose, as long as it can be used. Index: account_links_by_key. */
export async function openLink(
  db: Db | DbTransaction,
  organizationId: number,
  purpose: AccountPurpose,
  key: string,
): Promise<AccountLink | undefined> {
  return db
    .selectFrom('account_links')
    .selectAll()
    .where('key_hash', '=', hashOfKey(key))
    .where('organization_id', '=', organizationId)
    .where('purpose', '=', purpose)
    .where('ended_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - ${LASTS}::interval`)
    .executeTakeFirst();
}

/**
 * Uses a link up, which happens once. Whoever else uses it, or ends the account's links by changing it, waits for the end of the transaction,
 * or was before.
 */
export async function useLink(
  db: DbTransaction,
  organizationId: number,
  purpose: AccountPurpose,
  key: string,
): Promise<(AccountLink & { readonly user_id: number }) | undefined> {
  const link = await openLink(db, organizationId, purpose, key);
  if (link === undefined || link.user_id === null) return undefined;
  // First the account: changing that locks it before its links.
  await sql`
    SELECT 1 FROM users WHERE organization_id = ${organizationId} AND id = ${link.user_id} FOR NO KEY UPDATE`.execute(
    db,
  );
  const { numUpdatedRows } = await db
    .updateTable('account_links')
    .set({ ended_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', link.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? { ...link, user_id: link.user_id } : undefined;
}

/** Forgets what counts for nothing any more, a part at a time. Indexes: account_links_by_age, login_notices_by_age. */
export async function collectOld(db: Db | DbTransaction): Promise<void> {
  await sql`
    DELETE FROM account_links
     WHERE (organization_id, id) IN (
             SELECT organization_id, id FROM account_links WHERE created_at < now() - interval '2 days' LIMIT 10000)`.execute(
    db,
  );
  await sql`
    DELETE FROM login_notices
     WHERE (organization_id, user_id, id) IN (
             SELECT organization_id, user_id, id FROM login_notices
              WHERE noticed_at < now() - interval '1 day' LIMIT 10000)`.execute(db);
}
