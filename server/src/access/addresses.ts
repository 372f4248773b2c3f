/** Whose real address is told to whom, and by which address who may name whom (public reference: `email_address_visibility`). */
import type { Directory } from '../directory/directory.ts';
import { Role, SystemGroup, type UserRecord } from '../directory/records.ts';
import { knows } from '../directory/sight.ts';
import type { Audience } from '../log/event.ts';

/** Who is told a user's real address; the numbers are the wire's. */
export const AddressVisibility = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;
export type AddressVisibility = (typeof AddressVisibility)[keyof typeof AddressVisibility];

const { everyone, members, administrators, nobody, moderators } = AddressVisibility;

/** The weakest role that is told it; undefined: none. */
const WEAKEST: Readonly<Record<AddressVisibility, number | undefined>> = {
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

/** Bots' addresses are everybody's to know. */
export function visibilityOf({ isBot, settings }: Addressed): AddressVisibility {
  return isBot ? everyone : (settings?.email_address_visibility ?? everyone);
}

/** Whether the reader is told the user's real address. Everybody is told their own. */
export function seesAddress(
  reader: Pick<UserRecord, 'id' | 'role'>,
  user: Addressed & { readonly id: number },
): boolean {
  return reader.id === user.id || roleSeesAddress(reader.role, user);
}

/** Whether whoever has the role is told the user's real address. */
export function roleSeesAddress(role: number, user: Addressed): boolean {
  const weakest = WEAKEST[visibilityOf(user)];
  return weakest !== undefined && role <= weakest;
}

/** A name for the role that all have in common who are told the same addresses. */
export function roleClass(role: number): string {
  if (role <= Role.administrator) return 'administrators';
  if (role <= Role.moderator) return 'moderators';
  return role <= Role.member ? 'members' : 'guests';
}

/** Who is told the address that has this visibility: of others than the user. */
export function addressReaders(directory: Directory, visibility: AddressVisibility): Audience {
  return { to: 'group', groupId: directory.groups.idOf(GROUPS[visibility]) };
}

/** The address that stands for a user's own where that is not told; every user has one. */
export function standInAddress(userId: number, host: string): string {
  return `user${userId}@${host}`;
}

/** The user's address for the API: the real one where everybody is told that, else the one that stands for it. */
export function apiAddress({ host }: Directory, user: Addressed & Pick<UserRecord, 'id' | 'deliveryEmail'>): string {
  return visibilityOf(user) === everyone ? user.deliveryEmail : standInAddress(user.id, host);
}

/**
 * The account that the reader may mean by this address: an API address is everybody's who may know the account, a real one theirs who
 * are told it. Of strangers the address that stands for their own is known.
 */
export function accountAt(directory: Directory, reader: UserRecord, address: string): UserRecord | undefined {
  return unlessHidden(directory, reader, address, directory.userByEmail(address));
}

/** The same also of the server's own bots. */
export function correspondentAt(directory: Directory, reader: UserRecord, address: string): UserRecord | undefined {
  return unlessHidden(directory, reader, address, directory.correspondentByEmail(address));
}

function unlessHidden(
  directory: Directory,
  reader: UserRecord,
  address: string,
  user: UserRecord | undefined,
): UserRecord | undefined {
  if (user === undefined || !knows(directory, reader, user)) return undefined;
  if (user.email.toLowerCase() === address.toLowerCase()) return user;
  return seesAddress(reader, user) ? user : undefined;
}
