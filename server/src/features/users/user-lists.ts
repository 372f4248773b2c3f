/** The lists of users in the initial state: serialized once for all who are told the same addresses. */
import { roleClass, roleSeesAddress } from '../../access/addresses.ts';
import { hasStrangers } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { type RawJson, rawJson } from '../../http/route.ts';
import { rememberedBy, rememberedJson } from '../remembered-state.ts';
import { listsForGuest } from './lists-for-guests.ts';
import { presentListed, presentUser, type UserPresentation } from './present.ts';

export interface UserLists {
  readonly realm_users: RawJson;
  readonly realm_non_active_users: RawJson;
  readonly cross_realm_bots: RawJson;
}

/**
 * What one who registers gets. Where their own address is hidden from others like them, their own record is put in.
 * @param isIncomplete whether the client wants nothing of those whom its user may not know
 */
export function userLists(
  directory: Directory,
  reader: UserRecord,
  { clientGravatar, isIncomplete }: { readonly clientGravatar: boolean; readonly isIncomplete: boolean },
): UserLists {
  if (hasStrangers(directory, reader)) {
    const { others } = listsOf(Role.owner, clientGravatar)(directory);
    return { ...others, ...listsForGuest(directory, reader, { clientGravatar, isIncomplete }) };
  }
  // Where nobody hides an address all get the same.
  const role = hidesAddresses(directory) ? reader.role : Role.owner;
  const { active, others } = listsOf(role, clientGravatar)(directory);
  const place = active.own.get(reader.id);
  if (place === undefined) return { realm_users: active.json, ...others };
  const own = presentListed(directory, reader, { clientGravatar, withProfileData: true, reader });
  const [start, end] = place;
  const { bytes } = active;
  const pieces = [bytes.subarray(0, start), Buffer.from(JSON.stringify(own)), bytes.subarray(end)];
  return { realm_users: rawJson(pieces), ...others };
}

const hidesAddresses = rememberedBy(['users'], ({ users }) =>
  users.values().some((user) => !roleSeesAddress(Role.guest, user)),
);

interface SerializedUsers {
  readonly json: RawJson;
  /** The same; empty where nobody has to be put in. */
  readonly bytes: Buffer;
  /** Where those stand in it who are not told their own address there. */
  readonly own: ReadonlyMap<number, readonly [start: number, end: number]>;
}

interface Serialized {
  readonly active: SerializedUsers;
  readonly others: Omit<UserLists, 'realm_users'>;
}

const made = new Map<string, (directory: Directory) => Serialized>();

function listsOf(role: number, clientGravatar: boolean): (directory: Directory) => Serialized {
  const key = `${roleClass(role)} ${clientGravatar}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const presentation = { clientGravatar, withProfileData: true, reader: { id: 0, role } };
  const lists = rememberedBy(['users', 'profiles'], (directory) => serialized(directory, presentation));
  made.set(key, lists);
  return lists;
}

function serialized(directory: Directory, presentation: UserPresentation): Serialized {
  const active: UserRecord[] = [];
  const inactive: UserRecord[] = [];
  for (const user of directory.users.values()) (user.isActive ? active : inactive).push(user);
  const present = (user: UserRecord) => presentListed(directory, user, presentation);
  const bots = [...directory.systemBots.values()].map((bot) => ({
    ...presentUser(directory, bot, presentation),
    is_system_bot: true,
  }));
  return {
    active: serializedUsers(active, presentation, present),
    others: {
      realm_non_active_users: rememberedJson(JSON.stringify(inactive.map(present))),
      cross_realm_bots: rememberedJson(JSON.stringify(bots)),
    },
  };
}

function serializedUsers(
  users: readonly UserRecord[],
  { reader }: UserPresentation,
  present: (user: UserRecord) => ReturnType<typeof presentListed>,
): SerializedUsers {
  const own = new Map<number, readonly [number, number]>();
  const texts = users.map((user) => JSON.stringify(present(user)));
  const text = `[${texts.join(',')}]`;
  if (users.every((user) => roleSeesAddress(reader.role, user))) {
    return { json: rememberedJson(text), bytes: Buffer.of(), own };
  }
  const bytes = Buffer.from(text);
  let start = 1;
  for (const [index, user] of users.entries()) {
    const end = start + Buffer.byteLength(texts[index] ?? '');
    if (!roleSeesAddress(reader.role, user) && roleClass(user.role) === roleClass(reader.role)) {
      own.set(user.id, [start, end]);
    }
    start = end + 1;
  }
  return { json: rawJson(bytes), bytes, own };
}
