/**
 * The table `address_confirmations`: addresses that people want to join with, and the links that confirm them. A link
 * proves that its holder reads mails to the address.
 */
import { rateLimited } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../../db/schema.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { hashOfKey, newLink } from '../shared/link-keys.ts';

export type Confirmation = Row<'address_confirmations'>;

/** How long a link is valid. */
const LASTS = sql.lit('1 day');
/** Per address, as for the other links that mails contain (`account-security/links.ts`). */
const MOST_AN_HOUR = 2;
const MOST_A_DAY = 5;
/**
 * Mails in a day for one reusable link. The same limit holds for all requests without an invitation in an organization.
 */
const MOST_BY_ONE_WAY = 500;

export interface ConfirmationToMake {
  readonly organizationId: number;
  readonly address: string;
  /** null: without an invitation. */
  readonly invitationId: number | null;
}

/**
 * Creates a link for an address.
 * @returns its id; undefined if the address has reached its limit. Indexes: address_confirmations_by_address,
 * _by_invitation.
 * @throws ApiError `RATE_LIMIT_HIT`: the invitation has reached its limit
 */
export async function makeConfirmation(
  { secret }: Pick<AppContext, 'secret'>,
  db: DbTransaction,
  { organizationId, address, invitationId }: ConfirmationToMake,
): Promise<number | undefined> {
  // Requests with one invitation run one after the other, and then those for one address. So concurrent requests are
  // all counted.
  for (const what of [`a way to join ${invitationId ?? ''}`, address.toLowerCase()]) {
    await sql`SELECT pg_advisory_xact_lock(${organizationId}::integer, hashtext(${what}))`.execute(db);
  }
  const { rows } = await sql<{ this_hour: number; today: number; by_this_way: number }>`
    SELECT (SELECT count(*) FROM address_confirmations
             WHERE organization_id = ${organizationId} AND lower(address) = lower(${address})
               AND created_at > now() - interval '1 hour') AS this_hour,
           (SELECT count(*) FROM address_confirmations
             WHERE organization_id = ${organizationId} AND lower(address) = lower(${address})
               AND created_at > now() - interval '1 day') AS today,
           (SELECT count(*) FROM address_confirmations
             WHERE organization_id = ${organizationId} AND ${invitationIs(invitationId)}
               AND created_at > now() - interval '1 day') AS by_this_way`.execute(db);
  const [had] = rows;
  if (had === undefined) throw new Error('a count has no row');
  if (had.by_this_way >= MOST_BY_ONE_WAY) throw rateLimited(3600, `${MOST_BY_ONE_WAY} mails a day to people who join`);
  if (had.this_hour >= MOST_AN_HOUR || had.today >= MOST_A_DAY) return undefined;
  const { nonce, keyHash } = newLink(secret, 'joining');
  const { id } = await db
    .insertInto('address_confirmations')
    .values({ organization_id: organizationId, address, invitation_id: invitationId, nonce, key_hash: keyHash })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function invitationIs(id: number | null) {
  return id === null ? sql`invitation_id IS NULL` : sql`invitation_id = ${id}`;
}

/** Finds a confirmation that is still valid. Index: the primary key. */
export async function openConfirmationById(
  db: Db | DbTransaction,
  organizationId: number,
  id: number,
): Promise<Confirmation | undefined> {
  return db
    .selectFrom('address_confirmations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - ${LASTS}::interval`)
    .executeTakeFirst();
}

/** Finds it in all organizations, even if it has ended or expired. Index: address_confirmations_by_key. */
export async function confirmationByKey(
  db: Db,
  key: string,
): Promise<(Confirmation & { readonly has_expired: boolean }) | undefined> {
  return db
    .selectFrom('address_confirmations')
    .selectAll()
    .select(sql<boolean>`created_at <= now() - ${LASTS}::interval`.as('has_expired'))
    .where('key_hash', '=', hashOfKey(key))
    .executeTakeFirst();
}

/** Ends a link, which succeeds once. A concurrent use waits for this transaction. */
export async function useConfirmation(
  db: DbTransaction,
  organizationId: number,
  id: number,
): Promise<Confirmation | undefined> {
  return db
    .updateTable('address_confirmations')
    .set({ ended_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - ${LASTS}::interval`)
    .returningAll()
    .executeTakeFirst();
}

/** Ends all links of an address that has an account now. */
export async function endConfirmationsOf(db: DbTransaction, organizationId: number, address: string): Promise<void> {
  await db
    .updateTable('address_confirmations')
    .set({ ended_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where(sql<string>`lower(address)`, '=', address.toLowerCase())
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * Deletes a batch of old confirmations. For a week, the page can say what became of a link. Index:
 * address_confirmations_by_age.
 */
export async function collectConfirmations(db: Db | DbTransaction): Promise<void> {
  await sql`
    DELETE FROM address_confirmations
     WHERE (organization_id, id) IN (
             SELECT organization_id, id FROM address_confirmations
              WHERE created_at < now() - interval '7 days' LIMIT 10000)`.execute(db);
}
