/**
 * The table `address_confirmations`: addresses that people want to join with, and the links that confirm them. A link
 * proves that its holder reads mails to the address.
 */
import { rateLimited } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../../../db/schema.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { hashOfKey, newLink } from '../../texts/shared/link-keys.ts';
import { hasReachedLimit, LINK_LASTS } from '../../texts/shared/mailed-links.ts';

export type Confirmation = Row<'address_confirmations'>;

/**
 * Mails in a day for one reusable link. The same limit holds for all requests without an invitation in an organization.
 */
const MAX_CONFIRMATIONS_PER_ORIGIN = 500;

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
  // Requests with one invitation run one after the other, so concurrent ones are all counted.
  const invitation = `a way to join ${invitationId ?? ''}`;
  await sql`SELECT pg_advisory_xact_lock(${organizationId}::integer, hashtext(${invitation}))`.execute(db);
  const { rows } = await sql<{ today: number }>`
    SELECT count(*) AS today FROM address_confirmations
     WHERE organization_id = ${organizationId} AND ${invitationIs(invitationId)}
       AND created_at > now() - interval '1 day'`.execute(db);
  if ((rows[0]?.today ?? 0) >= MAX_CONFIRMATIONS_PER_ORIGIN) {
    throw rateLimited(3600, `${MAX_CONFIRMATIONS_PER_ORIGIN} mails a day to people who join`);
  }
  const counts = sql<boolean>`lower(address) = lower(${address})`;
  if (await hasReachedLimit(db, 'address_confirmations', { organizationId, address, counts })) return undefined;
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

/** Finds it even if it has ended or expired. Index: address_confirmations_by_key. */
export async function confirmationByKey(
  db: Db,
  organizationId: number,
  key: string,
): Promise<(Confirmation & { readonly has_expired: boolean }) | undefined> {
  return db
    .selectFrom('address_confirmations')
    .selectAll()
    .select(sql<boolean>`created_at <= now() - ${LINK_LASTS}::interval`.as('has_expired'))
    .where('key_hash', '=', hashOfKey(key))
    .where('organization_id', '=', organizationId)
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
