/** Users, bots, teams and channels of Mattermost. */
import { Role } from '@heddle/server/directory/records.ts';
import { isLanguage } from '@heddle/server/domain/texts/shared/languages.ts';
import type { ArchiveFiles } from '../archives/archive-files.ts';
import type { Lookup } from '../conversion/lookup.ts';
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
import type { SourceRow } from '../source.ts';

export function userOf(user: Json, archive: ArchiveFiles): readonly NeutralUser[] {
  const key = usernameIn(user, 'username');
  if (key === undefined) return [];
  const name = [textIn(user, 'first_name'), textIn(user, 'last_name')].filter(Boolean).join(' ');
  const avatar = textIn(user, 'profile_image');
  const teams = objectsIn(user.teams).map((team) => textIn(team, 'roles') ?? '');
  return [
    {
      key,
      email: textIn(user, 'email') ?? null,
      fullName: name || textIn(user, 'nickname') || key,
      role: roleOf(textIn(user, 'roles') ?? '', teams),
      isActive: !(numberIn(user, 'delete_at') ?? 0),
      isBot: false,
      avatar: avatar === undefined ? undefined : pathOf(avatar, archive),
      settings: settingsOf(user),
    },
  ];
}

export function usernameIn(object: Json, name: string): string | undefined {
  return textIn(object, name)?.toLowerCase();
}

export function isGuest(user: Json): boolean {
  return (textIn(user, 'roles') ?? '').split(' ').includes('system_guest');
}

function roleOf(roles: string, teams: readonly string[]): number {
  if (roles.split(' ').includes('system_admin')) return Role.owner;
  if (roles.split(' ').includes('system_guest')) return Role.guest;
  return teams.some((team) => team.split(' ').includes('team_admin')) ? Role.administrator : Role.member;
}

/** The settings that both programs have. */
function settingsOf(user: Json): object {
  const notify = objectIn(user, 'notify_props');
  const locale = textIn(user, 'locale')?.toLowerCase();
  const [desktop, push] = [textIn(notify, 'desktop'), textIn(notify, 'mobile')];
  return {
    ...(textIn(user, 'military_time') === 'true' && { twenty_four_hour_time: true }),
    ...(locale !== undefined && locale !== 'en' && isLanguage(locale) && { default_language: locale }),
    ...(desktop === 'all' && { enable_stream_desktop_notifications: true }), // wire name: the setting's
    ...(desktop === 'none' && { enable_desktop_notifications: false }),
    ...(push === 'all' && { enable_stream_push_notifications: true }), // wire name: the setting's
    ...(push === 'none' && { enable_offline_push_notifications: false, enable_online_push_notifications: false }),
    ...(textIn(notify, 'email') === 'false' && { enable_offline_email_notifications: false }),
    ...(textIn(notify, 'channel') === 'false' && { wildcard_mentions_notify: false }),
  };
}

export function botOf(bot: Json, archive: ArchiveFiles): readonly NeutralUser[] {
  const key = usernameIn(bot, 'username');
  if (key === undefined) return [];
  const avatar = textIn(bot, 'profile_image');
  return [
    {
      ...{ key, email: null, fullName: textIn(bot, 'display_name') || key, role: Role.member, isBot: true },
      ...{ isActive: !(numberIn(bot, 'delete_at') ?? 0), owner: usernameIn(bot, 'owner') },
      avatar: avatar === undefined ? undefined : pathOf(avatar, archive),
    },
  ];
}

/** Paths of attachments are relative to `data/`. */
export function pathOf(path: string, archive: ArchiveFiles): string {
  return archive.files.has(`data/${path}`) ? `data/${path}` : path;
}

export const PROFILE_NAMES = ['Position', 'Nickname'];

export function* profilesOf(rows: RowStore): Generator<Profile> {
  for (const user of rows.of('user')) {
    const status = objectIn(user, 'custom_status');
    const hasName = textIn(user, 'first_name') || textIn(user, 'last_name');
    yield {
      user: usernameIn(user, 'username') ?? '',
      texts: { Position: textIn(user, 'position'), Nickname: hasName ? textIn(user, 'nickname') : undefined },
      status: { text: textIn(status, 'text') ?? '', emoji: textIn(status, 'emoji') ?? '' },
    };
  }
}

const MAX_ALERT_WORDS = 100;
const MAX_WORD_LENGTH = 100;

/** Words that mention a user, without the user's name, which always does. */
export function* alertWordRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const seen = new Set<number>();
  for (const user of rows.of('user')) {
    const key = usernameIn(user, 'username');
    const found = lookup.user(key);
    if (found === undefined || seen.has(found.id)) continue;
    seen.add(found.id);
    const given = (textIn(objectIn(user, 'notify_props'), 'mention_keys') ?? '').split(',').map((word) => word.trim());
    const own = given.filter((word) => word !== '' && word.toLowerCase() !== key && word.toLowerCase() !== `@${key}`);
    const words = [...new Map(own.map((word) => [word.toLowerCase(), word])).values()];
    const valid = words
      .filter((word) => word.length <= MAX_WORD_LENGTH && !/\p{Cc}/u.test(word))
      .slice(0, MAX_ALERT_WORDS);
    if (valid.length < words.length) lookup.report.skip('Alert words that are too long, or too many', key);
    if (valid.length > 0) yield { user_id: found.id, words: valid };
  }
}

export function foldersOf(rows: RowStore): readonly NeutralFolder[] {
  const teams = [...rows.of('team')];
  if (teams.length < 2) return [];
  return teams.map((team) => ({
    key: textIn(team, 'name') ?? '',
    name: textIn(team, 'display_name') || textIn(team, 'name') || 'Team',
    description: textIn(team, 'description') ?? '',
    isArchived: false,
  }));
}

/**
 * If there are several teams, each is a folder, and the names of its channels begin with its name.
 * @param closedTeams groups of those who can join public channels, by the names of the teams that are not for all
 */
export function channelsOf(rows: RowStore, closedTeams: ReadonlyMap<string, NeutralGroup>): readonly NeutralChannel[] {
  const hasTeams = rows.count('team') > 1;
  const administrators = administratorsOf(rows);
  return [...rows.of('channel')].flatMap((channel): readonly NeutralChannel[] => {
    const [team, name] = [textIn(channel, 'team'), textIn(channel, 'name')];
    if (team === undefined || name === undefined) return [];
    const key = `${team}/${name}`;
    const shown = textIn(channel, 'display_name') || name;
    const texts = ['purpose', 'header'].map((field) => textIn(channel, field)?.trim() ?? '');
    const users = administrators.get(key);
    const isClosed = textIn(channel, 'type') === 'P';
    const group = isClosed ? undefined : closedTeams.get(team);
    return [
      {
        key,
        name: hasTeams ? `${team}: ${shown}` : shown,
        description: [...new Set(texts.filter((text) => text !== ''))].join(' — '),
        isPrivate: isClosed || group !== undefined,
        isArchived: (numberIn(channel, 'deleted_at') ?? numberIn(channel, 'delete_at') ?? 0) > 0,
        isDefault: name === 'town-square',
        folder: hasTeams ? team : undefined,
        permissions: {
          ...(users !== undefined && { can_administer_channel_group: { users, groups: [] } }),
          ...(group !== undefined && { can_subscribe_group: group.key }),
        },
      },
    ];
  });
}

/** Channels by their names in addresses. Several teams can have the same ones. */
export class ChannelNames {
  readonly #keys: ReadonlySet<string>;
  /** Null: several teams have it. */
  readonly #publicKeys = new Map<string, string | null>();

  constructor(channels: readonly Pick<NeutralChannel, 'key' | 'isPrivate'>[]) {
    this.#keys = new Set(channels.map(({ key }) => key));
    for (const { key, isPrivate } of channels) {
      const name = key.slice(key.indexOf('/') + 1);
      if (!isPrivate) this.#publicKeys.set(name, this.#publicKeys.has(name) ? null : key);
    }
  }

  /** @param from the key of the channel of a post, whose team decides; null: a direct message, which has no team */
  keyOf(name: string, from: string | null): string | undefined {
    if (from === null) return this.#publicKeys.get(name) ?? undefined;
    const key = from.slice(0, from.indexOf('/') + 1) + name;
    return this.#keys.has(key) ? key : undefined;
  }
}

interface Membership {
  readonly user: string;
  readonly channel: string;
  readonly membership: Json;
}

function* membershipsOf(rows: RowStore): Generator<Membership> {
  for (const user of rows.of('user')) {
    const key = usernameIn(user, 'username');
    if (key === undefined) continue;
    for (const team of objectsIn(user.teams)) {
      for (const membership of objectsIn(team.channels))
        yield { user: key, channel: `${textIn(team, 'name')}/${textIn(membership, 'name')}`, membership };
    }
  }
}

function administratorsOf(rows: RowStore): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { user, channel, membership } of membershipsOf(rows)) {
    if (!(textIn(membership, 'roles') ?? '').split(' ').includes('channel_admin')) continue;
    const users = found.get(channel);
    if (users === undefined) found.set(channel, [user]);
    else users.push(user);
  }
  return found;
}

export function* subscriptionsOf(rows: RowStore): Generator<NeutralSubscription> {
  for (const { user, channel, membership } of membershipsOf(rows)) {
    const notify = objectIn(membership, 'notify_props');
    const viewedAt = numberIn(membership, 'last_viewed_at');
    yield {
      ...{ user, channel, pinToTop: isTrue(membership, 'favorite') },
      isMuted: textIn(notify, 'mark_unread') === 'mention',
      readThrough: viewedAt === undefined || viewedAt <= 0 ? undefined : viewedAt,
      notifications: {
        desktop_notifications: allOrNot(textIn(notify, 'desktop')),
        push_notifications: allOrNot(textIn(notify, 'mobile')),
        email_notifications: allOrNot(textIn(notify, 'email')),
        wildcard_mentions_notify: textIn(notify, 'ignore_channel_mentions') === 'on' ? false : null,
      },
    };
  }
}

/** Null: as the user's settings say. */
function allOrNot(choice: string | undefined): boolean | null {
  if (choice === 'all' || choice === 'true') return true;
  return choice === 'none' || choice === 'mention' || choice === 'false' ? false : null;
}

export function* directReadsOf(rows: RowStore) {
  for (const conversation of rows.of('direct_channel')) {
    const described = objectsIn(conversation.participants);
    const names = described.flatMap((one) => usernameIn(one, 'username') ?? []);
    const participants = names.length > 0 ? names : textsIn(conversation, 'members').map((name) => name.toLowerCase());
    for (const one of described) {
      const [user, at] = [usernameIn(one, 'username'), numberIn(one, 'last_viewed_at')];
      if (user !== undefined && at !== undefined && at > 0) yield { participants, user, at };
    }
  }
}
