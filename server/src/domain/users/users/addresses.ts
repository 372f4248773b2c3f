/**
 * Changes of addresses, and of who sees them (public reference: `realm_user`, op `update`; `email_address_visibility`).
 */
import { sql } from 'kysely';
import { AddressVisibility, addressReaders, apiAddress, visibilityOf } from '../../../access/addresses.ts';
import { usersWithAccessTo } from '../../../access/people.ts';
import type { Change, OptimisticChange } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { userDelta } from '../../../directory/state-deltas.ts';
import type { Audience } from '../../../log/event.ts';
import type { UserEvent } from './events.ts';

/** The account with the API address that follows from its visibility setting. Writes it, and appends no event. */
export async function withApiAddress(change: OptimisticChange, user: UserRecord): Promise<UserRecord> {
  const email = apiAddress(change.directory, user);
  if (email === user.email) return user;
  await writeAddresses(change, { ...user, email });
  return { ...user, email };
}

/**
 * Changes the real address of an account, and appends the events for everyone who can see it. The caller checks the
 * permission.
 * @returns the changed account
 */
export async function changeAddress(change: Change, user: UserRecord, address: string): Promise<UserRecord> {
  const { directory, append } = change;
  const isPublic = visibilityOf(user) === AddressVisibility.everyone;
  const changed = { ...user, deliveryEmail: address, ...(isPublic && { email: address }) };
  await writeAddresses(change, changed);
  const readers: Audience = {
    to: 'any',
    of: [addressReaders(directory, visibilityOf(user)), { to: 'users', users: [user.id] }],
  };
  const shown: UserEvent = { op: 'delivery-email', userId: user.id, address };
  const audience = usersWithAccessTo(directory, changed, readers);
  append({ type: 'realm_user', audience, body: shown, deltas: [userDelta(changed, user)] });
  if (isPublic) announcePublicAddress(change, changed);
  return changed;
}

/**
 * Announces another visibility of the real address: readers who gain the address get it, readers who lose it get null.
 * If the API address changes with it, everyone gets that and the picture.
 * @param after the same account with the new visibility
 * @returns the changed account
 */
export async function announceVisibility(
  change: OptimisticChange,
  before: UserRecord,
  after: UserRecord,
): Promise<UserRecord> {
  const { directory, append } = change;
  const changed = await withApiAddress(change, after);
  const then = addressReaders(directory, visibilityOf(before));
  const now = addressReaders(directory, visibilityOf(after));
  const self: Audience = { to: 'users', users: [after.id] };
  const gained: Audience = { to: 'any', of: [now], except: { to: 'any', of: [then, self] } };
  const lost: Audience = { to: 'any', of: [then], except: { to: 'any', of: [now, self] } };
  const shown: UserEvent = { op: 'delivery-email', userId: after.id, address: after.deliveryEmail };
  const hidden: UserEvent = { ...shown, address: null };
  append({
    type: 'realm_user',
    audience: usersWithAccessTo(directory, after, gained),
    body: shown,
    deltas: [userDelta(changed)],
  });
  append({ type: 'realm_user', audience: usersWithAccessTo(directory, after, lost), body: hidden });
  if (changed.email !== before.email) announcePublicAddress(change, changed);
  return changed;
}

function announcePublicAddress({ directory, append }: OptimisticChange, user: UserRecord): void {
  const audience = usersWithAccessTo(directory, user);
  const picture: UserEvent = { op: 'avatar', user };
  append({ type: 'realm_user', audience, body: picture });
  const body: UserEvent = { op: 'email', userId: user.id, email: user.email };
  append({ type: 'realm_user', audience, body });
}

async function writeAddresses({ db, directory }: OptimisticChange, user: UserRecord): Promise<void> {
  await db
    .updateTable('users')
    .set({
      email: user.email,
      delivery_email: user.deliveryEmail,
      // The owner of the account confirmed a new address by mail, or the organization owner set it.
      address_is_confirmed: sql`address_is_confirmed OR delivery_email <> ${user.deliveryEmail}`,
    })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', user.id)
    .execute();
}
