/** Users, rooms and subscriptions of Rocket.Chat. */
import { Role } from '@heddle/server/directory/records.ts';
import { isLanguage } from '@heddle/server/domain/texts/shared/languages.ts';
import { UniqueNames } from '../conversion/names.ts';
import type {
  NeutralChannel,
  NeutralFolder,
  NeutralGroup,
  NeutralSubscription,
  NeutralUser,
} from '../conversion/neutral.ts';
import type { Profile } from '../conversion/profile-tables.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { isTrue, type Json, numberIn, objectIn, objectsIn, textIn, textsIn } from '../fields.ts';
import { mendedTopic } from '../mended-names.ts';
import { dateIn, idIn, timeIn } from './bson-documents.ts';

/** The fields that the import reads. Users have secrets, which are not stored. */
export const READ_FIELDS: Readonly<Record<string, readonly string[]>> = {
  users: '_id username name emails type roles active createdAt bio nickname statusText language avatarETag'.split(' '),
  rocketchat_room:
    '_id t name fname topic description announcement u ts usernames uids prid archived default ro teamId'.split(' '),
  rocketchat_subscription:
    '_id rid u t ls f roles disableNotifications muteGroupMentions desktopNotifications mobilePushNotifications emailNotifications'.split(
      ' ',
    ),
  rocketchat_team: ['_id', 'name', 'type', 'roomId', 'createdAt', 'createdBy'],
  rocketchat_custom_emoji: ['_id', 'name', 'aliases', 'extension'],
  rocketchat_avatars: ['_id', 'name', 'userId'],
  rocketchat_uploads: ['_id', 'name', 'userId', 'complete'],
};

export function userOf(
  user: Json,
  avatarOf: (id: string, username: string) => string | undefined,
): readonly NeutralUser[] {
  const key = idIn(user, '_id');
  if (key === undefined) return [];
  const [username, roles, type] = [textIn(user, 'username') ?? '', textsIn(user, 'roles'), textIn(user, 'type')];
  const [email] = objectsIn(user.emails).flatMap((one) => textIn(one, 'address') ?? []);
  const language = textIn(user, 'language')?.toLowerCase();
  return [
    {
      ...{ key, email: email ?? null, fullName: textIn(user, 'name') || username || key, role: roleOf(roles) },
      ...{ isActive: user.active !== false, joinedAt: dateIn(user, 'createdAt') },
      isBot: type === 'bot' || type === 'app' || roles.includes('bot') || roles.includes('app'),
      avatar: avatarOf(key, username),
      ...(language !== undefined &&
        language !== 'en' &&
        isLanguage(language) && { settings: { default_language: language } }),
    },
  ];
}

function roleOf(roles: readonly string[]): number {
  if (roles.includes('admin')) return Role.owner;
  return roles.includes('guest') ? Role.guest : Role.member;
}

export const PROFILE_NAMES = ['Bio', 'Nickname'];

export function* profilesOf(rows: RowStore): Generator<Profile> {
  for (const user of rows.of('users')) {
    yield {
      user: idIn(user, '_id') ?? '',
      texts: { Bio: textIn(user, 'bio'), Nickname: textIn(user, 'nickname') },
      status: { text: textIn(user, 'statusText') ?? '', emoji: '' },
    };
  }
}

/** Where the messages of a room go. */
export interface Room {
  readonly key: string;
  readonly kind: 'channel' | 'direct' | 'unknown';
  /** The channel; a public discussion belongs to the public channel in which it began. */
  readonly channel: string;
  /** The topic of a discussion. */
  readonly topic?: string;
  readonly participants: readonly string[];
}

/** Of a topic with a number behind it. */
const MAX_NUMBERED_CHARACTERS = 50;
const PUBLIC = 'c';
const PRIVATE = 'p';
const DIRECT = 'd';
const PUBLIC_TEAM_CODE = 0;

/** Rooms by their ids. */
export function roomsOf(rows: RowStore, userKeys: ReadonlyMap<string, string>): ReadonlyMap<string, Room> {
  const types = new Map<string, string>();
  for (const room of rows.of('rocketchat_room')) types.set(idIn(room, '_id') ?? '', textIn(room, 't') ?? '');
  const members = directMembersOf(rows);
  const rooms = new Map<string, Room>();
  /** Of the discussions of each channel. */
  const topics = new Map<string, UniqueNames>();
  for (const room of rows.of('rocketchat_room')) {
    const [key, type, parent] = [idIn(room, '_id'), textIn(room, 't'), idIn(room, 'prid')];
    if (key === undefined) continue;
    if (type === DIRECT) {
      const named = textsIn(room, 'usernames').flatMap((name) => userKeys.get(name) ?? []);
      const participants =
        [textsIn(room, 'uids'), named, members.get(key) ?? []].find(({ length }) => length > 0) ?? [];
      rooms.set(key, { key, kind: 'direct', channel: '', participants });
    } else if (type === PUBLIC && parent !== undefined && types.get(parent) === PUBLIC) {
      const names = topics.get(parent) ?? new UniqueNames();
      topics.set(parent, names);
      const name = mendedTopic(shownName(room));
      const topic = names.add(name, (number) => `${[...name].slice(0, MAX_NUMBERED_CHARACTERS).join('')} (${number})`);
      rooms.set(key, { key, kind: 'channel', channel: parent, topic, participants: [] });
    } else {
      const kind = type === PUBLIC || type === PRIVATE ? 'channel' : 'unknown';
      rooms.set(key, { key, kind, channel: key, participants: [] });
    }
  }
  return rooms;
}

function directMembersOf(rows: RowStore): ReadonlyMap<string, string[]> {
  const members = new Map<string, string[]>();
  for (const subscription of rows.of('rocketchat_subscription')) {
    const [room, user] = [idIn(subscription, 'rid'), idIn(objectIn(subscription, 'u'), '_id')];
    if (textIn(subscription, 't') !== DIRECT || room === undefined || user === undefined) continue;
    const list = members.get(room);
    if (list === undefined) members.set(room, [user]);
    else list.push(user);
  }
  return members;
}

function shownName(room: Json): string {
  return textIn(room, 'fname') || textIn(room, 'name') || (idIn(room, '_id') ?? 'room');
}

/** @param privateTeams groups with their members, by the ids of the teams */
export function channelsOf(
  rows: RowStore,
  rooms: ReadonlyMap<string, Room>,
  privateTeams: ReadonlyMap<string, NeutralGroup>,
): readonly NeutralChannel[] {
  const administrators = administratorsOf(rows);
  return [...rows.of('rocketchat_room')].flatMap((room): readonly NeutralChannel[] => {
    const key = idIn(room, '_id') ?? '';
    const { kind, channel } = rooms.get(key) ?? {};
    if (kind !== 'channel' || channel !== key) return [];
    const texts = ['topic', 'description', 'announcement'].map((field) => textIn(room, field)?.trim() ?? '');
    const creator = idIn(objectIn(room, 'u'), '_id');
    const users = administrators.get(key) ?? (creator === undefined ? [] : [creator]);
    const permitted = { users, groups: [] };
    const isClosed = textIn(room, 't') === PRIVATE;
    const team = isClosed ? undefined : privateTeams.get(idIn(room, 'teamId') ?? '');
    return [
      {
        ...{
          key,
          name: shownName(room),
          isPrivate: isClosed || team !== undefined,
          isArchived: isTrue(room, 'archived'),
        },
        description: [...new Set(texts.filter((text) => text !== ''))].join(' — '),
        isDefault: isTrue(room, 'default') || key === 'GENERAL',
        ...{ createdAt: dateIn(room, 'ts'), creator, folder: idIn(room, 'teamId') },
        permissions: {
          ...(users.length > 0 && { can_administer_channel_group: permitted }),
          ...(isTrue(room, 'ro') && { can_send_message_group: permitted }),
          ...(team !== undefined && { can_subscribe_group: team.key }),
        },
      },
    ];
  });
}

/** Groups with the members of teams whose public channels only they can find and join. Each of them is in the main room of the team. */
export function privateTeamsOf(rows: RowStore): ReadonlyMap<string, NeutralGroup> {
  const [groups, mainRooms] = [new Map<string, NeutralGroup>(), new Map<string, string[]>()];
  for (const team of rows.of('rocketchat_team')) {
    if (numberIn(team, 'type') === PUBLIC_TEAM_CODE) continue;
    const key = idIn(team, '_id') ?? '';
    const members: string[] = [];
    groups.set(key, { key: `team ${key}`, name: textIn(team, 'name') ?? 'Team', description: '', members });
    mainRooms.set(idIn(team, 'roomId') ?? '', members);
  }
  if (groups.size === 0) return groups;
  for (const subscription of rows.of('rocketchat_subscription')) {
    const user = idIn(objectIn(subscription, 'u'), '_id');
    if (user !== undefined) mainRooms.get(idIn(subscription, 'rid') ?? '')?.push(user);
  }
  return groups;
}

function administratorsOf(rows: RowStore): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const subscription of rows.of('rocketchat_subscription')) {
    const [room, user] = [idIn(subscription, 'rid'), idIn(objectIn(subscription, 'u'), '_id')];
    const roles = textsIn(subscription, 'roles');
    if (room === undefined || user === undefined || !(roles.includes('owner') || roles.includes('moderator'))) continue;
    const list = found.get(room);
    if (list === undefined) found.set(room, [user]);
    else list.push(user);
  }
  return found;
}

/** Teams. */
export function foldersOf(rows: RowStore): readonly NeutralFolder[] {
  return [...rows.of('rocketchat_team')].map((team) => ({
    ...{ key: idIn(team, '_id') ?? '', name: textIn(team, 'name') ?? 'Team', description: '', isArchived: false },
    ...{ creator: idIn(objectIn(team, 'createdBy'), '_id'), createdAt: dateIn(team, 'createdAt') },
  }));
}

/** A subscription to a discussion that is a topic is none to the channel. */
export function* subscriptionsOf(rows: RowStore, rooms: ReadonlyMap<string, Room>): Generator<NeutralSubscription> {
  for (const subscription of rows.of('rocketchat_subscription')) {
    const [room, user] = [rooms.get(idIn(subscription, 'rid') ?? ''), idIn(objectIn(subscription, 'u'), '_id')];
    if (user === undefined || room?.kind !== 'channel' || room.channel !== room.key) continue;
    yield {
      ...{ user, channel: room.key, pinToTop: isTrue(subscription, 'f') },
      isMuted: isTrue(subscription, 'disableNotifications'),
      readThrough: timeIn(subscription, 'ls'),
      notifications: {
        desktop_notifications: allOrNot(textIn(subscription, 'desktopNotifications')),
        push_notifications: allOrNot(textIn(subscription, 'mobilePushNotifications')),
        email_notifications: allOrNot(textIn(subscription, 'emailNotifications')),
        wildcard_mentions_notify: isTrue(subscription, 'muteGroupMentions') ? false : null,
      },
    };
  }
}

/** Null: as the user's settings say. */
function allOrNot(choice: string | undefined): boolean | null {
  if (choice === 'all') return true;
  return choice === 'mentions' || choice === 'nothing' ? false : null;
}

export function* directReadsOf(rows: RowStore, rooms: ReadonlyMap<string, Room>) {
  for (const subscription of rows.of('rocketchat_subscription')) {
    const [room, user] = [rooms.get(idIn(subscription, 'rid') ?? ''), idIn(objectIn(subscription, 'u'), '_id')];
    const at = timeIn(subscription, 'ls');
    if (room?.kind === 'direct' && user !== undefined && at !== undefined)
      yield { participants: room.participants, user, at };
  }
}
