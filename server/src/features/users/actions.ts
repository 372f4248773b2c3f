import { badRequest } from '@heddle/api/errors.ts';
import { thoseWhoKnow } from '../../access/people.ts';
import { accessChanges } from '../../directory/access-changes.ts';
import type { Directory } from '../../directory/directory.ts';
import { userFact } from '../../directory/facts.ts';
import { userRecord } from '../../directory/load.ts';
import type { Change, OrdinaryChange, Organization } from '../../directory/organization.ts';
import { type ChannelRecord, Role, type UserRecord } from '../../directory/records.ts';
import type { Audience } from '../../log/event.ts';
import { announceClosed, announceSightOfRole, announceStranger } from '../acquaintances/actions.ts';
import { checkedPasswordHash } from '../authentication/actions.ts';
import { botUpdated } from '../bots/present.ts';
import { announceAccess, announceDefaultsTo, announceNamedIn } from '../channels/actions.ts';
import type { OrganizationEvent } from '../organizations/present.ts';
import { settingsNaming } from '../organizations/queries.ts';
import type { Rooms } from '../rooms.ts';
import { addSubscribers, announceActivity, type Membership } from '../subscriptions/actions.ts';
import { announceGone, announceGroupsOf, announceRoleGroups } from '../user-groups/actions.ts';
import { settingsOfNewAccounts } from '../user-settings/queries.ts';
import { withApiAddress } from './addresses.ts';
import { botsToClose } from './bots-to-close.ts';
import type { UserEvent } from './events.ts';
import { freeEmail, freeFullName } from './free-names.ts';

export { announceVisibility, changeAddress } from './addresses.ts';
export type { UserEvent } from './events.ts';
export { freeEmail } from './free-names.ts';
export { checkedEmail, checkedFullName } from './names.ts';
export { type Power, setPower } from './powers.ts';
export { insertSystemBots } from './system-bots.ts';

export interface NewUser {
  readonly email: string;
  readonly fullName: string;
  /** Default: member. */
  readonly role?: Role;
  /** Without one the account has an API key only: nobody can log in to it by password. */
  readonly password?: string;
}

/**
 * Adds an account, announces it, and subscribes it to the default channels; guests see only what they are subscribed to by others.
 * @param besides what else is done for it in the same change
 * @throws ApiError `BAD_REQUEST`: an invalid name, address or password, or one that is taken
 */
export async function createUser(
  organization: Organization,
  user: NewUser,
  besides?: ForNewcomer,
): Promise<UserRecord> {
  const passwordHash = user.password === undefined ? null : await checkedPasswordHash(user.password);
  return organization.change(async (change) => {
    const added = await addUser(change, { ...user, passwordHash });
    await besides?.(change, added);
    return added;
  });
}

export type ForNewcomer = (change: Change, newcomer: UserRecord) => Promise<unknown>;

/** An account to add in a change that is under way; its password was checked and hashed before. */
export interface UserToAdd extends Omit<NewUser, 'password'> {
  readonly passwordHash: string | null;
  /** To be subscribed to; the default channels if not given, and none for guests. */
  readonly channels?: readonly ChannelRecord[];
}

/** `createUser` as a part of a larger change. */
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
      own_settings: settingsOfNewAccounts(directory),
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

/** Tells everybody of an account that a change adds, and in which groups it is by its role. */
export function announceNewUser(change: Change, added: UserRecord): void {
  const body: UserEvent = { op: 'add', user: added };
  const audience = thoseWhoKnow(change.directory, added);
  change.append({ type: 'realm_user', audience, body, facts: [userFact(added)] });
  announceStranger(change, added);
  announceGroupsOf(change, added);
}

/** What new members are subscribed to. */
export function defaultChannels(directory: Directory): readonly ChannelRecord[] {
  return [...directory.channels.values().filter((channel) => channel.isDefault && !channel.isArchived)];
}

/**
 * Closes an account: its API key is refused from now on, its queues end, and it counts as nobody's subscriber. So do its bots, which are
 * closed before it, a few a commit.
 * @throws ApiError `BAD_REQUEST`: no such user, or the only owner
 */
export async function deactivateUser(
  rooms: Pick<Rooms, 'queues'>,
  organization: Organization,
  userId: number,
): Promise<void> {
  for (;;) {
    const { closed, isDone } = await organization.change((change) => closeAccount(change, userId));
    for (const id of closed) await rooms.queues.removeAllOf(organization.id, id);
    if (isDone) return;
    await organization.giveWay();
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
  // First: clients take an account that goes with its subscriptions for an error.
  announceActivity(change, user.id, 'deactivated');
  const closed = { ...user, isActive: false };
  const body: UserEvent = { op: 'activity', userId: user.id, isActive: false };
  append({ type: 'realm_user', audience: thoseWhoKnow(directory, closed), body, facts: [userFact(closed, user)] });
  announceClosed(change, closed);
  announceGoneToStrangers(change, closed);
  if (user.isBot) append(botUpdated(directory, closed, ['is_active']));
}

/** Who knows the account hears that it is closed; the others only what that means for groups and permissions. */
function announceGoneToStrangers(change: Change, closed: UserRecord): void {
  const { directory, append } = change;
  if (!directory.hidesPeople || closed.isBot) return;
  const strangers = (among: Audience): Audience => ({ to: 'strangers', userId: closed.id, among });
  const audience = strangers({ to: 'everyone' });
  announceGone(change, closed, audience);
  const settings = settingsNaming(directory, closed);
  if (settings !== undefined) {
    const named: OrganizationEvent = { op: 'update', settings };
    append({ type: 'realm', audience, body: named });
  }
  announceNamedIn(change, closed, strangers);
}

/**
 * Gives an account another role, and tells its user which channels that shows or hides. Subscriptions stay.
 * @throws ApiError `BAD_REQUEST`: no such user, a deactivated one, or the only owner
 */
export async function changeRole(organization: Organization, userId: number, role: Role): Promise<void> {
  await organization.change((change) => giveRole(change, userId, role));
}

/**
 * `changeRole` as a part of a larger change.
 * @returns the account as it is then
 */
export async function giveRole(change: Change, userId: number, role: Role): Promise<UserRecord> {
  const { db, directory, append } = change;
  const user = directory.user(userId);
  if (user === undefined) throw badRequest('No such user');
  if (!user.isActive) throw badRequest('User is deactivated');
  if (user.role === role) return user;
  // Administrators have the keys of all bots: by such a one they would be owners.
  if (user.isBot && role === Role.owner) throw badRequest('A bot cannot be an organization owner.');
  if (user.role === Role.owner && activeOwners(directory.users) === 1) {
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
  append({ type: 'realm_user', audience: thoseWhoKnow(directory, changed), body, facts: [userFact(changed, user)] });
  announceRoleGroups(change, user, changed);
  if ((user.role === Role.guest) !== (role === Role.guest)) announceDefaultsTo(change, changed);
  const channels = directory.channels.values();
  announceAccess(change, accessChanges(directory, { users: [user], channels, userAfter: () => changed }));
  await announceSightOfRole(change, user, changed);
  return changed;
}

/**
 * Makes the account what the record says in its name, its picture, its key and what there is of bots, and tells everybody what the body says.
 */
export async function changeAccount(
  { db, directory, append }: Change,
  changed: UserRecord,
  body?: UserEvent,
): Promise<void> {
  await db
    .updateTable('users')
    .set({
      full_name: changed.fullName,
      bot_owner_id: changed.botOwnerId,
      bot_settings: changed.bot ?? null,
      avatar_file: changed.avatarFile ?? null,
      avatar_version: changed.avatarVersion,
      api_key_version: changed.apiKeyVersion,
    })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', changed.id)
    .execute();
  const audience = body === undefined ? ({ to: 'nobody' } as const) : thoseWhoKnow(directory, changed);
  append({ type: 'realm_user', audience, body: body ?? null, facts: [userFact(changed)] });
}

/**
 * Gives an account another name, and tells everybody.
 * @returns the account as it is then
 * @throws ApiError `BAD_REQUEST`: none that it can have
 */
export async function renameUser(change: Change, user: UserRecord, text: string): Promise<UserRecord> {
  const { directory, append } = change;
  const fullName = freeFullName(directory, text, user.id);
  if (fullName === user.fullName) return user;
  const changed = { ...user, fullName };
  const body: UserEvent = { op: 'full-name', userId: user.id, fullName };
  await changeAccount(change, changed, body);
  if (user.isBot) append(botUpdated(directory, changed, ['full_name']));
  return changed;
}

/** Tells everybody that the user has another time zone, the one in the record. */
export function announceTimezone(
  { directory, append }: Pick<OrdinaryChange, 'append' | 'directory'>,
  user: UserRecord,
): void {
  const body: UserEvent = { op: 'timezone', userId: user.id, email: user.email, timezone: user.timezone };
  append({ type: 'realm_user', audience: thoseWhoKnow(directory, user), body, facts: [userFact(user)] });
}

/** Owners whose accounts are open. */
export function activeOwners(users: ReadonlyMap<number, UserRecord>): number {
  return users.values().reduce((count, user) => (user.isActive && user.role === Role.owner ? count + 1 : count), 0);
}

/**
 * Gives an account a new password; the old one is refused from now on.
 * @throws ApiError `BAD_REQUEST`: no such user, or an unacceptable password
 */
export async function setPassword(
  rooms: Pick<Rooms, 'db'>,
  organization: Organization,
  userId: number,
  password: string,
): Promise<void> {
  const passwordHash = await checkedPasswordHash(password);
  const { numUpdatedRows } = await rooms.db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('organization_id', '=', organization.id)
    .where('id', '=', userId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw badRequest('No such user');
}
