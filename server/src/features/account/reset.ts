/** Who has forgotten the password gets a link by mail that sets another. */

import { rateLimited } from '@heddle/api/errors.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { RateLimiter } from '../../http/limits.ts';
import { networkOf } from '../../http/networks.ts';
import { queueMail } from '../../mail/kind.ts';
import { checkedPasswordHash, claimAccount } from '../authentication/actions.ts';
import { oncePerRooms, type Rooms } from '../rooms.ts';
import { makeLink, openLink, useLink } from './links.ts';
import { resetMail } from './mail-kinds.ts';

const PURPOSE = 'password reset';

/** Of one network: what it asks for is stored, and may be sent to somebody. */
const ASKED = { requests: 30, windowSeconds: 3600 } as const;

const limiterOf = oncePerRooms((_: Pick<Rooms, 'config'>) => new RateLimiter(ASKED));

/**
 * Sends a link to whoever has an account with the address. Nothing tells whether there is one: what is done here is the same for all.
 * @throws ApiError `RATE_LIMIT_HIT`
 */
export async function requestReset(
  rooms: Rooms,
  organization: Organization,
  { email, remoteAddress }: { readonly email: string; readonly remoteAddress: string },
): Promise<void> {
  const { requests, windowSeconds } = ASKED;
  if (rooms.config.rateLimits && !limiterOf(rooms).take(networkOf(remoteAddress)).isAllowed) {
    throw rateLimited(windowSeconds, `${requests} requests for passwords from an address in ${windowSeconds} s`);
  }
  const address = email.trim();
  const user = accountAt(organization.directory, address);
  await rooms.db.transaction().execute(async (db) => {
    const link = { organizationId: organization.id, purpose: PURPOSE, userId: user?.id ?? null, address } as const;
    const linkId = await makeLink(rooms, db, link);
    if (linkId === undefined) return;
    await queueMail(db, resetMail, { organizationId: organization.id, about: { linkId } });
  });
  rooms.jobs.wake();
}

/** Of people alone, and by their real address alone. */
function accountAt(directory: Directory, address: string): UserRecord | undefined {
  const user = directory.userByEmail(address);
  const isTheirs = user?.deliveryEmail.toLowerCase() === address.toLowerCase();
  return isTheirs && user?.isActive && !user.isBot ? user : undefined;
}

/** Whose password the link sets; undefined where it does not, or no longer. */
export async function userOfReset(
  { db }: Pick<Rooms, 'db'>,
  organization: Organization,
  key: string,
): Promise<UserRecord | undefined> {
  const link = await openLink(db, organization.id, PURPOSE, key);
  const user = link === undefined || link.user_id === null ? undefined : organization.directory.user(link.user_id);
  return user?.isActive ? user : undefined;
}

/**
 * Sets the password and uses the link up. Sessions and other links of the account end; its API key stays, unless somebody may have it who
 * never showed that the address is theirs.
 * @returns whether the link was still good
 * @throws ApiError `BAD_REQUEST`, `SERVICE_UNAVAILABLE`
 */
export async function resetPassword(
  rooms: Pick<Rooms, 'db' | 'queues'>,
  organization: Organization,
  { key, password }: { readonly key: string; readonly password: string },
): Promise<boolean> {
  const passwordHash = await checkedPasswordHash(password);
  const userId = await rooms.db.transaction().execute(async (transaction) => {
    const link = await useLink(transaction, organization.id, PURPOSE, key);
    if (link === undefined) return undefined;
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('organization_id', '=', organization.id)
      .where('id', '=', link.user_id)
      .where('is_active', '=', true)
      .executeTakeFirst();
    return numUpdatedRows === 1n ? link.user_id : undefined;
  });
  const user = typeof userId === 'number' ? organization.directory.user(userId) : undefined;
  if (user !== undefined) await claimAccount(rooms, organization, user, 'is new');
  return user !== undefined;
}
