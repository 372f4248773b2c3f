import type { Change, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { userDelta } from '../../directory/state-deltas.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { endDevicesOf } from '../../push/devices.ts';
import { apiKeyFor } from './api-keys.ts';

/**
 * Renews the caller's API key. All processes refuse the old one at once. The account's queues are removed, so clients
 * that poll with the old key get `BAD_EVENT_QUEUE_ID`.
 * @returns the new key
 */
export async function renewOwnKey(
  app: Pick<AppContext, 'queues' | 'secret'>,
  organization: Organization,
  caller: UserRecord,
): Promise<string> {
  const renewed = await organization.transact(caller, 'exclusive', (change, user) => renewKey(change, user));
  await app.queues.removeAllOf(organization.id, renewed.id);
  return apiKeyFor(app.secret, organization.id, renewed.id, renewed.apiKeyVersion);
}

/**
 * The same for any account, within an open transaction. The caller removes the account's queues after the commit. With the old key,
 * others can have registered a phone, which gets the texts of messages. So all phones end, and log in again.
 */
export async function renewKey({ db, directory, append }: Change, user: UserRecord): Promise<UserRecord> {
  const renewed: UserRecord = { ...user, apiKeyVersion: user.apiKeyVersion + 1 };
  await db
    .updateTable('users')
    .set({ api_key_version: renewed.apiKeyVersion })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', user.id)
    .execute();
  await endDevicesOf(db, directory.organization.id, user.id);
  const deltas = [{ ...userDelta(renewed, user), hasNewKey: true }];
  append({ type: 'realm_user', audience: { to: 'nobody' }, body: null, deltas });
  return renewed;
}
