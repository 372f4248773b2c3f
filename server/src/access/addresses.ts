/**
 * Who sees which email address, and which address a request may name a user by (public reference:
 * `email_address_visibility`).
 */

import { canAccess } from '../directory/accessible-users.ts';
import type { Directory } from '../directory/directory.ts';
import { Role, SystemGroup, type UserRecord } from '../directory/records.ts';
import type { Audience } from '../log/event.ts';

/** Who sees a user's real address. The numbers are those of the wire. */
export const AddressVisibility = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;
export type AddressVisibility = (typeof AddressVisibility)[keyof typeof AddressVisibility];

const { everyone, members, administrators, nobody, moderators } = AddressVisibility;

/** The weakest role that sees the address; undefined: none. */
const WEAKEST_ROLE: Readonly<Record<AddressVisibility, number | undefined>> = {
  [everyone]: Role.guest,
  [members]: Role.member,
  [moderators]: Role.moderator,
  [administrators]: Role.administrator,
  [nobody]: undefined,
};

const GROUPS: Readonly<Record<AddressVisibility, SystemGroup>> = {
  [everyone]: SystemGroup.everyone,
  [members]: SystemGroup.members,
  [moderators]: SystemGroup.moderators,
  [administrators]: SystemGroup.administrators,
  [nobody]: SystemGroup.nobody,
};

type Addressed = Pick<UserRecord, 'isBot' | 'settings'>;

/** Everyone sees the addresses of bots. */
export function visibilityOf({ isBot, settings }: Addressed): AddressVisibility {
  return isBot ? everyone : (settings?.email_address_visibility ?? everyone);
}

/** Whether the reader sees the user's real address. Every user sees their own. */
export function seesAddress(
  reader: Pick<UserRecord, 'id' | 'role'>,
  user: Addressed & { readonly id: number },
): boolean {
  return reader.id === user.id || roleSeesAddress(reader.role, user);
}

/** Whether users with the role see the user's real address. */
export function roleSeesAddress(role: number, user: Addressed): boolean {
  const weakest = WEAKEST_ROLE[visibilityOf(user)];
  return weakest !== undefined && role <= weakest;
}

/** The visibilities with which users of the role see an address, for SQL. */
export function visibilitiesFor(role: number): readonly AddressVisibility[] {
  return Object.values(AddressVisibility).filter((visibility) => role <= (WEAKEST_ROLE[visibility] ?? 0));
}

/** Groups roles that see the same addresses. Returns the name of the group. */
export function roleClass(role: number): string {
  if (role <= Role.administrator) return 'administrators';
  if (role <= Role.moderator) return 'moderators';
  return role <= Role.member ? 'members' : 'guests';
}

/** The other users who see an address with this visibility. */
export function addressReaders(directory: Directory, visibility: AddressVisibility): Audience {
  return { to: 'group', groupId: directory.groups.idOf(GROUPS[visibility]) };
}

/** The placeholder address of a user, for readers who do not see the real one. Every user has one. */
export function standInAddress(userId: number, host: string): string {
  return `user${userId}@${host}`;
}

/** The id in a placeholder address of this host; undefined for any other address. A user with the id need not exist. */
export function standInUserId(address: string, host: string): number | undefined {
  const [, digits] = /^user(\d{1,10})@/i.exec(address) ?? [];
  const id = Number(digits);
  return digits !== undefined && address.toLowerCase() === standInAddress(id, host) ? id : undefined;
}

/** The user's address in the API: the real one if everyone sees it, else the placeholder. */
export function apiAddress({ host }: Directory, user: Addressed & Pick<UserRecord, 'id' | 'deliveryEmail'>): string {
  return visibilityOf(user) === everyone ? user.deliveryEmail : standInAddress(user.id, host);
}

/**
 * Returns the account with this address, as far as the reader can access it. Users find an account by its API address
 * if they can access it, and by its real address if they also see that. The placeholder address of an inaccessible user
 * finds nothing.
 */
export function accountAt(directory: Directory, reader: UserRecord, address: string): UserRecord | undefined {
  return unlessHidden(directory, reader, address, directory.userByEmail(address));
}

/** Like `accountAt`, including the server's own bots. */
export function correspondentAt(directory: Directory, reader: UserRecord, address: string): UserRecord | undefined {
  return unlessHidden(directory, reader, address, directory.correspondentByEmail(address));
}

function unlessHidden(
  directory: Directory,
  reader: UserRecord,
  address: string,
  user: UserRecord | undefined,
): UserRecord | undefined {
  if (user === undefined || !canAccess(directory, reader, user)) return undefined;
  if (user.email.toLowerCase() === address.toLowerCase()) return user;
  return seesAddress(reader, user) ? user : undefined;
}
