/** The user lists in the initial state. Serialized once for all readers who see the same addresses. */
import { roleClass, roleSeesAddress } from '../../../access/addresses.ts';
import { hasInaccessibleUsers } from '../../../access/people.ts';
import type { Directory } from '../../../directory/directory.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { rememberedBy, rememberedJson } from '../../../extension/remembered-state.ts';
import type { RawJson } from '../../../http/answers/raw-json.ts';
import { compressJoined } from '../../../http/responses/joined-compression.ts';
import { listsForGuest, prepareListsForGuests } from './lists-for-guests.ts';
import { presentBrief, presentListed, presentUser } from './present.ts';
import { SerializedUsers } from './serialized-users.ts';

export interface UserLists {
  readonly realm_users: RawJson;
  readonly realm_non_active_users: RawJson;
  readonly cross_realm_bots: RawJson;
}

interface ListOptions {
  readonly clientGravatar: boolean;
  /** Whether the client leaves out users whom its user cannot access. */
  readonly isIncomplete: boolean;
  /** Whether the client reads users without the fields that have the usual value. Lists for guests have all fields. */
  readonly isBrief?: boolean;
}

/** Computes the lists in advance, in turns, so that `userLists` is fast. */
export function prepareUserLists(
  directory: Directory,
  reader: UserRecord,
  options: ListOptions,
): Promise<void> | undefined {
  if (hasInaccessibleUsers(directory, reader)) return prepareListsForGuests(directory, options);
  return listsOf(roleOfLists(directory, reader), options).users.prepare(directory);
}

/** Computes and compresses in advance what members get who register with the web app. */
export async function prepareForMembers(directory: Directory): Promise<void> {
  const reader = directory.users.values().find((user) => user.isActive && !user.isBot && user.role === Role.member);
  if (reader === undefined) return;
  const options = { clientGravatar: true, isIncomplete: true, isBrief: true };
  await prepareUserLists(directory, reader, options);
  const { body } = userLists(directory, reader, options).realm_users;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return;
  await compressJoined(body, 'zstd');
  await compressJoined(body, 'gzip');
}

/**
 * The lists for a reader who registers. If the reader's own address is hidden from the same role, the own record is
 * replaced.
 */
export function userLists(directory: Directory, reader: UserRecord, options: ListOptions): UserLists {
  if (hasInaccessibleUsers(directory, reader)) {
    const { systemBots } = listsOf(Role.owner, options);
    const lists = listsForGuest(directory, reader, options);
    return { ...lists, cross_realm_bots: systemBots(directory) };
  }
  const { users, systemBots } = listsOf(roleOfLists(directory, reader), options);
  const own = () => presentFor(options)(directory, reader, reader);
  return {
    realm_users: users.activeWith(directory, reader.id, own),
    realm_non_active_users: users.inactive(directory),
    cross_realm_bots: systemBots(directory),
  };
}

/** If no address is hidden, all readers get the same lists. */
function roleOfLists(directory: Directory, reader: UserRecord): number {
  return hidesAddresses(directory) ? reader.role : Role.owner;
}

const hidesAddresses = rememberedBy(['users'], ({ users }) =>
  users.values().some((user) => !roleSeesAddress(Role.guest, user)),
);

interface Lists {
  readonly users: SerializedUsers;
  readonly systemBots: (directory: Directory) => RawJson;
}

const made = new Map<string, Lists>();

type Reader = Pick<UserRecord, 'id' | 'role'>;

function presentFor({ clientGravatar, isBrief = false }: ListOptions) {
  return isBrief
    ? (directory: Directory, user: UserRecord, reader: Reader): object =>
        presentBrief(directory, user, { clientGravatar, reader })
    : (directory: Directory, user: UserRecord, reader: Reader): object =>
        presentListed(directory, user, { clientGravatar, withProfileData: true, reader });
}

function listsOf(role: number, options: ListOptions): Lists {
  const { clientGravatar, isBrief = false } = options;
  const key = `${roleClass(role)} ${clientGravatar} ${isBrief}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const presentation = { clientGravatar, withProfileData: true, reader: { id: 0, role } };
  const presentOne = presentFor(options);
  const present = (directory: Directory, user: UserRecord) => presentOne(directory, user, presentation.reader);
  const isReplaced = (user: UserRecord) => !roleSeesAddress(role, user) && roleClass(user.role) === roleClass(role);
  const lists = {
    users: new SerializedUsers(present, isReplaced),
    systemBots: rememberedBy(['users', 'profiles'], (directory) => {
      const bots = [...directory.systemBots.values()].map((bot) => ({
        ...presentUser(directory, bot, presentation),
        is_system_bot: true,
      }));
      return rememberedJson(JSON.stringify(bots));
    }),
  };
  made.set(key, lists);
  return lists;
}
