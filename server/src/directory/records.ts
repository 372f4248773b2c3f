import { CHANNEL_PERMISSIONS, type ChannelPermission, type GroupPermission } from '@heddle/api/permissions.ts';
import type { PlainChannelFields } from './channel-settings.ts';
import type { HeldSettings, StoredSettings } from './user-settings.ts';

export { SystemGroup } from '@heddle/api/permissions.ts';

/** The numbers of the roles table in the interface document. A lower number has more rights. */
export const Role = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof Role)[keyof typeof Role];

/** A group's id, or an anonymous group of users and groups (interface document, Conventions 8). */
export type GroupSetting =
  | number
  | { readonly directMembers: readonly number[]; readonly directSubgroups: readonly number[] };

/** An organization's pictures: a square icon, and wide logos for the light and dark themes. */
export type OrganizationPicture = 'icon' | 'logo' | 'night_logo';

export type OrganizationPictures = {
  readonly [Kind in OrganizationPicture]?: {
    /** Increases with each change. */
    readonly version: number;
    /** A part of the URL; null if the picture was removed. */
    readonly file: string | null;
  };
};

export interface OrganizationRecord {
  readonly id: number;
  readonly subdomain: string;
  readonly name: string;
  readonly description: string;
  /** Only explicitly set values; see access/organization-settings.ts. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Only those that were ever uploaded or changed. */
  readonly pictures?: OrganizationPictures;
  /** The defaults of new accounts, if any were set. */
  readonly userSettingsDefaults?: StoredSettings;
  /** In display order; undefined if the organization never had any. */
  readonly playgrounds?: readonly PlaygroundRecord[];
  /** In matching order; undefined if the organization never had any. */
  readonly linkifiers?: readonly LinkifierRecord[];
  /**
   * Members who joined later are not full members yet; seconds since the epoch. If undefined, all members are full
   * members.
   */
  readonly fullMembersJoinedThrough?: number;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly isDeactivated: boolean;
}

/** An external site that runs code of one language. */
export interface PlaygroundRecord {
  readonly id: number;
  readonly name: string;
  readonly language: string;
  /** RFC 6570, with the variable `code`. */
  readonly urlTemplate: string;
}

/** A pattern whose matches become links. */
export interface LinkifierRecord {
  readonly id: number;
  /** In RE2 syntax. */
  readonly pattern: string;
  /** RFC 6570; its variables are the named groups of the pattern. */
  readonly urlTemplate: string;
}

/** The server's own bots in every organization. They send and receive messages, and belong to no account. */
export type SystemBot = 'notification' | 'welcome' | 'email-gateway';

/** Weaker than every other role: its holders are in no group. */
export const NO_MEMBERS_ROLE = 1000;

/**
 * The kinds of bots. Incoming webhook bots can only send messages. Outgoing webhook bots forward messages to an
 * external service.
 */
export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3 } as const;

/** The payload formats of services, by wire number: this API's own, or that of Slack's outgoing webhooks. */
export const ServiceInterface = { generic: 1, slack: 2 } as const;
export type ServiceInterface = (typeof ServiceInterface)[keyof typeof ServiceInterface];

/** The service of an outgoing webhook bot. */
export interface BotService {
  readonly name: string;
  /** As entered; empty if not set yet. */
  readonly url: string;
  readonly interface: ServiceInterface;
  /** The version of the token that is sent to the service; undefined means 0. A new bot owner increases it. */
  readonly tokenVersion?: number;
}

/** The settings of a bot that other accounts lack. */
export interface BotSettings {
  /** Channel ids that the bot's program reads. The server itself does not use them. */
  readonly sendingChannelId: number | null;
  readonly eventsChannelId: number | null;
  readonly allPublicChannels: boolean;
  /** For outgoing webhook bots only. */
  readonly service?: BotService;
}

export interface UserRecord {
  readonly id: number;
  /** The API address: the wire field `email`. */
  readonly email: string;
  readonly deliveryEmail: string;
  readonly fullName: string;
  readonly role: number;
  readonly isActive: boolean;
  readonly isBot: boolean;
  readonly botType: number | null;
  readonly botOwnerId: number | null;
  readonly timezone: string;
  readonly avatarVersion: number;
  /** The random part of the URL of an uploaded picture; undefined if there is none. */
  readonly avatarFile?: string;
  readonly apiKeyVersion: number;
  /** Seconds since the epoch. */
  readonly joinedAt: number;
  /** Only for bots that users created. */
  readonly bot?: BotSettings;
  /** The explicitly set values of the settings in user-settings.ts. All others have their defaults. */
  readonly settings?: HeldSettings;
  /** Only for the server's own bots. */
  readonly systemBot?: SystemBot;
}

export interface ChannelRecord extends PlainChannelFields {
  readonly id: number;
  readonly recipientId: number;
  readonly name: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly creatorId: number | null;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly isArchived: boolean;
  readonly isDefault: boolean;
  readonly firstMessageId: number | null;
  /** Whether the channel is new or had a message recently. */
  readonly isRecentlyActive: boolean;
  readonly groupSettings: ChannelGroupSettings;
}

export type TopicsPolicy = ChannelRecord['topicsPolicy'];

type WithoutGroup<Name> = Name extends `${infer Key}_group` ? Key : never;

/** The name of a group permission of a channel as stored: its wire name without `_group`. */
export type ChannelGroupSetting = WithoutGroup<ChannelPermission>;

export const CHANNEL_GROUP_SETTINGS = Object.keys(CHANNEL_PERMISSIONS).map((name) =>
  name.slice(0, -'_group'.length),
) as readonly ChannelGroupSetting[];

/** All group permissions of one channel. */
export type ChannelGroupSettings = Readonly<Record<ChannelGroupSetting, GroupSetting>>;

/** The permissions that give metadata access to a private channel without a subscription. */
export const REVEALING_SETTINGS = [
  'can_administer_channel',
  'can_add_subscribers',
  'can_subscribe',
] as const satisfies readonly ChannelGroupSetting[];

/** The parts of a channel that decide metadata access, and which clients see it. */
export interface ChannelAccess {
  /** Missing in older logs. */
  readonly isArchived?: boolean;
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly groupSettings: Readonly<Record<(typeof REVEALING_SETTINGS)[number], GroupSetting>>;
}

/** Copies only those parts. */
export function channelAccess({ isArchived, isPrivate, isWebPublic, groupSettings }: ChannelAccess): ChannelAccess {
  const { can_administer_channel, can_add_subscribers, can_subscribe } = groupSettings;
  const revealing = { can_administer_channel, can_add_subscribers, can_subscribe };
  return { ...(isArchived !== undefined && { isArchived }), isPrivate, isWebPublic, groupSettings: revealing };
}

export function isSameAccess(a: ChannelAccess, b: ChannelAccess): boolean {
  if (a.isPrivate !== b.isPrivate || a.isWebPublic !== b.isWebPublic) return false;
  if ((a.isArchived ?? b.isArchived) !== (b.isArchived ?? a.isArchived)) return false;
  return REVEALING_SETTINGS.every((name) => isSameSetting(a.groupSettings[name], b.groupSettings[name]));
}

/** Compares two values in stored form. */
export function isSameSetting(a: GroupSetting, b: GroupSetting): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return isSameList(a.directMembers, b.directMembers) && isSameList(a.directSubgroups, b.directSubgroups);
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** The explicitly set permissions of a group. The others have their defaults (access/groups.ts). */
export type GroupPermissions = Readonly<Partial<Record<GroupPermission, GroupSetting>>>;

export interface GroupRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isSystem: boolean;
  readonly creatorId: number | null;
  readonly createdAt: number;
  readonly isDeactivated: boolean;
  /** Undefined in state deltas of versions before group permissions. */
  readonly permissions?: GroupPermissions;
}
