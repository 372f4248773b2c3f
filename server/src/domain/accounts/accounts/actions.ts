import { badRequest } from '@heddle/api/errors.ts';
import { usersWithAccessTo } from '../../../access/people.ts';
import { accessChanges } from '../../../directory/access-changes.ts';
import type { Directory } from '../../../directory/directory.ts';
import { userRecord } from '../../../directory/load.ts';
import type { Change, Organization } from '../../../directory/organization.ts';
import { type ChannelRecord, Role, type UserRecord } from '../../../directory/records.ts';
import { userDelta } from '../../../directory/state-deltas.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import type { Audience } from '../../../log/event.ts';
import { addSubscribers, announceActivity, type Membership } from '../../channel-management/subscriptions/actions.ts';
import { announceAccess } from '../../channels/access-events.ts';
import { announceDefaultsTo } from '../../channels/defaults.ts';
import { announceNamedIn } from '../../channels/naming.ts';
import { checkedPasswordHash, knownOf } from '../../credentials/passwords.ts';
import { endSessionsIn } from '../../credentials/sessions.ts';
import type { OrganizationEvent } from '../../organizations/organizations/present.ts';
import { settingsNaming } from '../../organizations/organizations/queries.ts';
import { announceGone, announceGroupsOf, announceRoleGroups } from '../../user-groups/actions.ts';
import { announceClosed, announceInaccessible } from '../../users/accessible-users/actions.ts';
import { announceAccessOfRole } from '../../users/accessible-users/hiding.ts';
import { botUpdated } from '../../users/bots/present.ts';
import { settingsOfNewAccounts } from '../../users/user-settings/queries.ts';
import { withApiAddress } from '../../users/users/addresses.ts';
import type { UserEvent } from '../../users/users/events.ts';
import { freeEmail, freeFullName } from '../../users/users/free-names.ts';
import { botsToClose } from './bots-to-close.ts';

export interface NewUser {
  readonly email: string;
  readonly fullName: string;
  /** The default is member. */
  readonly role?: Role;
  /** An account without a password has an API key only. */
  readonly password?: string;
  /** What the user's browser prefers. The organization's own choice of another language than English wins. */
  readonly language?: string | undefined;
}

/**
 * Adds and announces an account, and subscribes it to the default channels. Guests get no default channels.
 * @param besides further work for the account in the same transaction
 * @throws ApiError `BAD_REQUEST`: the name, address or password is invalid or taken
 */
export async function createUser(
  organization: Organization,
  user: NewUser,
  besides?: ForNewcomer,
): Promise<UserRecord> {
  const passwordHash =
    user.password === undefined ? null : await checkedPasswordHash(user.password, knownOf(organization, user));
  return organization.transact('server', 'exclusive', async (change) => {
    const added = await addUser(change, { ...user, passwordHash });
    await besides?.(change, added);
    return added;
  });
}

export type ForNewcomer = (change: Change, newcomer: UserRecord) => Promise<unknown>;

/** An account to add in an open transaction. The password was checked and hashed before. */
export interface UserToAdd extends Omit<NewUser, 'password'> {
  readonly passwordHash: string | null;
  /** The channels to subscribe to. The default: the default channels, and none for guests. */
  readonly channels?: readonly ChannelRecord[];
}

/** The same as `createUser`, within an open transaction. */
export async function addUser(change: Change, user: UserToAdd): Promise<UserRecord> {
  const { db, directory } = change;
  const email = freeEmail(directory, user.email);
  const fullName = freeFullName(directory, user.fullName);
  const row = await db
    .insertInto('users')
    .values({
      organization_id: directory.organization.id,
      email,
      delivery_email: email,
      full_name: fullName,
      role: user.role ?? Role.member,
      bot_type: null,
      bot_owner_id: null,
      password_hash: user.passwordHash,
      own_settings: settingsOfNewAccounts(directory, user.language),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const added = await withApiAddress(change, userRecord(row));
  announceNewUser(change, added);
  const channels = user.channels ?? (added.role === Role.guest ? [] : defaultChannels(directory));
  const memberships = channels.map((channel): Membership => ({ channel, userIds: [added.id] }));
  await addSubscribers(change, memberships);
  return added;
}

/** Announces a new account, and the groups that it is in by its role. */
export function announceNewUser(change: Change, added: UserRecord): void {
  const body: UserEvent = { op: 'add', user: added };
  const audience = usersWithAccessTo(change.directory, added);
  change.append({ type: 'realm_user', audience, body, deltas: [userDelta(added)] });
  announceInaccessible(change, added);
  announceGroupsOf(change, added);
}

/** The channels that new members are subscribed to. */
export function defaultChannels(directory: Directory): readonly ChannelRecord[] {
  return [...directory.channels.values().filter((channel) => channel.isDefault && !channel.isArchived)];
}

/** Who closes an account, and whether they still may. Each commit checks it again, with the directory of that time. */
interface ClosedBy {
  readonly caller: UserRecord;
  /** @throws ApiError */
  check(directory: Directory, caller: UserRecord): unknown;
}

/**
 * Closes an account: its API key is refused, its queues are removed, and it no longer counts as a subscriber. Its bots
 * are closed first, a few per commit.
 * @param by not for an account that closes itself, nor for the operator
 * @throws ApiError `BAD_REQUEST`: no such user, or the only owner; and what `by` throws
 */
export async function deactivateUser(
  app: Pick<AppContext, 'queues'>,
  organization: Organization,
  userId: number,
  by?: ClosedBy,
): Promise<void> {
  const close = () =>
    by === undefined
      ? organization.transact('server', 'exclusive', (change) => closeAccount(change, userId))
      : organization.transact(by.caller, 'exclusive', (change, caller) => {
          by.check(change.directory, caller);
          return closeAccount(change, userId);
        });
  for (;;) {
    const { closed, isDone } = await close();
    for (const id of closed) await app.queues.removeAllOf(organization.id, id);
    if (isDone) return;
    await organization.yieldToOthers();
  }
}

async function closeAccount(
  change: Change,
  userId: number,
): Promise<{ readonly closed: readonly number[]; readonly isDone: boolean }> {
  const { directory } = change;
  const user = directory.user(userId);
  if (user === undefined) throw badRequest('No such user');
  if (user.role === Role.owner && user.isActive && activeOwners(directory.users) === 1) {
    throw badRequest('Cannot deactivate the only organization owner');
  }
  const bots = [...directory.users.values()].filter((bot) => bot.isActive && bot.botOwnerId === userId);
  const now = botsToClose(directory.subscriptions, bots);
  const isDone = now.length === bots.length;
  const closing = [...now, ...(isDone && user.isActive ? [user] : [])];
  for (const account of closing) await closeOne(change, account);
  return { closed: closing.map(({ id }) => id), isDone };
}

async function closeOne(change: Change, user: UserRecord): Promise<void> {
  const { db, directory, append } = change;
  await db
    .updateTable('users')
    .set({ is_active: false })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', user.id)
    .execute();
  // This event comes first: clients report an error if the account disappears before its subscriptions.
  announceActivity(change, user.id, 'deactivated');
  const closed = { ...user, isActive: false };
  const body: UserEvent = { op: 'activity', userId: user.id, isActive: false };
  append({
    type: 'realm_user',
    audience: usersWithAccessTo(directory, closed),
    body,
    deltas: [userDelta(closed, user)],
  });
  announceClosed(change, closed);
  announceGoneWhereInaccessible(change, closed);
  if (user.isBot) append(botUpdated(directory, closed, ['is_active']));
}

/**
 * Users who can access the account get the event about it. All others get only the changes of groups and permissions.
 */
function announceGoneWhereInaccessible(change: Change, closed: UserRecord): void {
  const { directory, append } = change;
  if (!directory.hidesPeople || closed.isBot) return;
  const withoutAccess = (among: Audience): Audience => ({ to: 'usersWithoutAccess', userId: closed.id, among });
  const audience = withoutAccess({ to: 'everyone' });
  announceGone(change, closed, audience);
  const settings = settingsNaming(directory, closed);
  if (settings !== undefined) {
    const named: OrganizationEvent = { op: 'update', settings };
    append({ type: 'realm', audience, body: named });
  }
  announceNamedIn(change, closed, withoutAccess);
}

/**
 * Changes the role of an account, and announces the channels that its user can access now, or no longer. Subscriptions
 * stay. With a weaker role, the bots of the account get no stronger one.
 * @throws ApiError `BAD_REQUEST`: no such user, or the only owner
 */
export async function changeRole(organization: Organization, userId: number, role: Role): Promise<void> {
  await organization.transact('server', 'exclusive', (change) => giveRole(change, userId, role));
}

/**
 * The same as `changeRole`, within an open transaction.
 * @returns the changed account
 */
export async function giveRole(change: Change, userId: number, role: Role): Promise<UserRecord> {
  const { db, directory, append } = change;
  const user = directory.user(userId);
  if (user === undefined) throw badRequest('No such user');
  if (user.role === role) return user;
  // Administrators know the keys of all bots. With the key of such a bot they could act as an owner.
  if (user.isBot && role === Role.owner) throw badRequest('A bot cannot be an organization owner.');
  if (user.isActive && user.role === Role.owner && activeOwners(directory.users) === 1) {
    throw badRequest('The owner permission cannot be removed from the only organization owner.');
  }
  await db
    .updateTable('users')
    .set({ role })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', userId)
    .execute();
  const changed: UserRecord = { ...user, role };
  const body: UserEvent = { op: 'role', userId, role };
  append({
    type: 'realm_user',
    audience: usersWithAccessTo(directory, changed),
    body,
    deltas: [userDelta(changed, user)],
  });
  // Clients have removed a deactivated account from all groups. They add it to its groups when it is reactivated.
  if (user.isActive) announceRoleGroups(change, user, changed);
  if ((user.role === Role.guest) !== (role === Role.guest)) announceDefaultsTo(change, changed);
  const channels = directory.channels.values();
  announceAccess(change, accessChanges(directory, { users: [user], channels, userAfter: () => changed }));
  await announceAccessOfRole(change, user, changed);
  if (role > user.role) await lowerBots(change, userId, role);
  return changed;
}

/** A user knows the keys of their bots. So a user who loses a role must not keep its access through them. */
async function lowerBots(change: Change, ownerId: number, role: Role): Promise<void> {
  for (const bot of [...change.directory.users.values()]) {
    if (bot.botOwnerId === ownerId && bot.role < role) await giveRole(change, bot.id, role);
  }
}

/** The number of active owners. */
export function activeOwners(users: ReadonlyMap<number, UserRecord>): number {
  return users.values().reduce((count, user) => (user.isActive && user.role === Role.owner ? count + 1 : count), 0);
}

/**
 * Sets the password of an account. The old one is refused at once, and sessions of the account end.
 * @throws ApiError `BAD_REQUEST`: no such user, or the password is refused
 */
export async function setPassword(organization: Organization, userId: number, password: string): Promise<void> {
  const user = organization.directory.user(userId);
  if (user === undefined) throw badRequest('No such user');
  const known = knownOf(organization, { fullName: user.fullName, email: user.deliveryEmail });
  const passwordHash = await checkedPasswordHash(password, known);
  await organization.transact('server', 'optimistic', async (change) => {
    const { numUpdatedRows } = await change.db
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('organization_id', '=', organization.id)
      .where('id', '=', userId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw badRequest('No such user');
    // A person who knew the old password may have a session.
    await endSessionsIn(change, userId);
  });
}
