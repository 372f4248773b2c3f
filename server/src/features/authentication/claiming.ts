/** Whoever signs up by a reusable link only says whose address it is. Its owner, who comes later, must not share the account with them. */
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Rooms } from '../rooms.ts';
import { renewKey } from './own-key.ts';

/**
 * The account is from now on that of whoever has shown that the address is theirs. If nothing had shown it of whoever had the account
 * until then, their API key, event queues and sessions end, and unless it is new their password.
 * @returns the account as it is then
 */
export async function claimAccount(
  rooms: Pick<Rooms, 'db' | 'queues'>,
  organization: Organization,
  user: UserRecord,
  password: 'is new' | 'may be known',
): Promise<UserRecord> {
  const { id: organizationId } = organization;
  const row = await rooms.db
    .selectFrom('users')
    .select('address_is_confirmed')
    .where('organization_id', '=', organizationId)
    .where('id', '=', user.id)
    .executeTakeFirst();
  if (row?.address_is_confirmed !== false) return user;
  const claimed = await organization.change(async (change) => {
    const { numUpdatedRows } = await change.db
      .updateTable('users')
      .set({ address_is_confirmed: true, ...(password === 'may be known' && { password_hash: null }) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', user.id)
      .where('address_is_confirmed', '=', false)
      .executeTakeFirst();
    const now = change.directory.user(user.id) ?? user;
    return numUpdatedRows === 1n ? renewKey(change, now) : now;
  });
  await rooms.queues.removeAllOf(organizationId, user.id);
  return claimed;
}
