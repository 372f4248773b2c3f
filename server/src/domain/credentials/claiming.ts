/**
 * A person who signs up by a reusable link only claims to own the address. The real owner, who comes later, must not
 * share the account with that person.
 */
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { renewKey } from './own-key.ts';

/**
 * Gives the account to the user who has proved that the address is theirs. If the address was not confirmed before,
 * this renews the API keys of the account and its bots, and ends queues, sessions, phones, scheduled messages and services of bots. It removes
 * the password too, unless it is new.
 * @returns the changed account
 */
export async function claimAccount(
  app: Pick<AppContext, 'db' | 'queues'>,
  organization: Organization,
  user: UserRecord,
  password: 'is new' | 'may be known',
): Promise<UserRecord> {
  const { id: organizationId } = organization;
  const row = await app.db
    .selectFrom('users')
    .select('address_is_confirmed')
    .where('organization_id', '=', organizationId)
    .where('id', '=', user.id)
    .executeTakeFirst();
  if (row?.address_is_confirmed !== false) return user;
  const claimed = await organization.transact('server', 'exclusive', async (change) => {
    const { numUpdatedRows } = await change.db
      .updateTable('users')
      .set({ address_is_confirmed: true, ...(password === 'may be known' && { password_hash: null }) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', user.id)
      .where('address_is_confirmed', '=', false)
      .executeTakeFirst();
    const now = change.directory.user(user.id) ?? user;
    if (numUpdatedRows !== 1n) return now;
    await change.hooks.holderChanged(change, now);
    return renewKey(change, now);
  });
  const bots = organization.directory.users.values().filter(({ botOwnerId }) => botOwnerId === user.id);
  for (const { id } of [user, ...bots]) await app.queues.removeAllOf(organizationId, id);
  return claimed;
}
