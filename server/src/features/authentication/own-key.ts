import { userFact } from '../../directory/facts.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Rooms } from '../rooms.ts';
import { apiKeyFor } from './api-keys.ts';

/**
 * Gives the caller another API key. The old one is refused at once, by whichever process is asked; who waits for events with it is told that
 * the queue is gone, as are all of the account's.
 * @returns the new one
 */
export async function renewOwnKey(
  rooms: Pick<Rooms, 'queues' | 'secret'>,
  organization: Organization,
  caller: UserRecord,
): Promise<string> {
  const renewed = await organization.changeBy(caller, (change, user) => renewKey(change, user));
  await rooms.queues.removeAllOf(organization.id, renewed.id);
  return apiKeyFor(rooms.secret, organization.id, renewed.id, renewed.apiKeyVersion);
}

/** The same as a part of a change, for whichever account; its queues are to be removed when that has committed. */
export async function renewKey({ db, directory, append }: Change, user: UserRecord): Promise<UserRecord> {
  const renewed: UserRecord = { ...user, apiKeyVersion: user.apiKeyVersion + 1 };
  await db
    .updateTable('users')
    .set({ api_key_version: renewed.apiKeyVersion })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', user.id)
    .execute();
  const facts = [{ ...userFact(renewed, user), hasNewKey: true }];
  append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, facts });
  return renewed;
}
