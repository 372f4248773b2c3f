/**
 * Links about a user's own account, in the table `account_links`. A link proves that its holder reads mails to the
 * address.
 */
import { sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../../../db/schema.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { hashOfKey, type LinkPurpose, newLink } from '../../texts/shared/link-keys.ts';
import { deleteOldLinks, endLink, hasReachedLimit, isOpen } from '../../texts/shared/mailed-links.ts';

export type AccountLink = Row<'account_links'>;
export type AccountPurpose = Exclude<LinkPurpose, 'invitation' | 'joining'>;

export interface LinkToMake {
  readonly organizationId: number;
  readonly purpose: AccountPurpose;
  /** null: no account has the address. */
  readonly userId: number | null;
  readonly address: string;
}

/**
 * Creates a link.
 * @returns its id; undefined if the address or the account has reached its limit. Indexes: account_links_by_address,
 * account_links_by_user.
 */
export async function makeLink(
  { secret }: Pick<AppContext, 'secret'>,
  db: DbTransaction,
  { organizationId, purpose, userId, address }: LinkToMake,
): Promise<number | undefined> {
  const counts = sql<boolean>`purpose = ${purpose} AND (lower(address) = lower(${address}) OR user_id = ${userId})`;
  if (await hasReachedLimit(db, 'account_links', { organizationId, address, counts })) return undefined;
  const { nonce, keyHash } = newLink(secret, purpose);
  const { id } = await db
    .insertInto('account_links')
    .values({ organization_id: organizationId, purpose, user_id: userId, address, nonce, key_hash: keyHash })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Finds a link of the organization with this purpose that is still valid. Index: account_links_by_key. */
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
    .where(isOpen)
    .executeTakeFirst();
}

/**
 * Ends a link, which succeeds once. A concurrent use or change of the account waits for this transaction.
 * @returns undefined if the link is not valid, or not any more
 */
export async function useLink(
  db: DbTransaction,
  organizationId: number,
  purpose: AccountPurpose,
  key: string,
): Promise<(AccountLink & { readonly user_id: number }) | undefined> {
  const link = await openLink(db, organizationId, purpose, key);
  if (link === undefined || link.user_id === null) return undefined;
  // Locks the account before its links, in the same order as a change of the account does.
  await sql`
    SELECT 1 FROM users WHERE organization_id = ${organizationId} AND id = ${link.user_id} FOR NO KEY UPDATE`.execute(
    db,
  );
  const ended = await endLink(db, 'account_links', organizationId, link.id);
  return ended && { ...ended, user_id: link.user_id };
}

/** Deletes a batch of rows that no limit counts any more. Indexes: account_links_by_age, login_notices_by_age. */
export async function collectOld(db: Db | DbTransaction): Promise<void> {
  await deleteOldLinks(db, 'account_links', 2);
  await sql`
    DELETE FROM login_notices
     WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM login_notices WHERE noticed_at < now() - interval '1 day' LIMIT 10000))`.execute(db);
}
