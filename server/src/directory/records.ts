import { CHANNEL_PERMISSIONS, type ChannelPermission, type GroupPermission } from '@heddle/api/permissions.ts';
import type { HeldSettings, StoredSettings } from './user-settings.ts';

export { SystemGroup } from '@heddle/api/permissions.ts';

/** A number of the interface document's roles table: the lower, the more a user may do. */
export const Role = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof Role)[keyof typeof Role];

/** A group's id, or users and groups named directly (interface document, Conventions 8). */
export type GroupSetting =
  | number
  | { readonly directMembers: readonly number[]; readonly directSubgroups: readonly number[] };

/** An organization's pictures: the square one, and the wide ones for light and dark themes. */
export type OrganizationPicture = 'icon' | 'logo' | 'night_logo';

export type OrganizationPictures = {
  readonly [Kind in OrganizationPicture]?: {
    /** Rises with each change. */
    readonly version: number;
    /** A part of the address; null where it was taken away. */
    readonly file: string | null;
  };
};

export interface OrganizationRecord {
  readonly id: number;
  readonly subdomain: string;
  readonly name: string;
  readonly description: string;
  /** Only what was decided; see access/organization-settings.ts. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Those that were uploaded, or changed once. */
  readonly pictures?: OrganizationPictures;
  /** What new accounts begin with, where anything of that was decided. */
  readonly userSettingsDefaults?: StoredSettings;
  /** In their order; missing where there never was one. */
  readonly playgrounds?: readonly PlaygroundRecord[];
  /** In the order in which they are tried; missing where there never was one. */
  readonly linkifiers?: readonly LinkifierRecord[];
  /** Members who joined later are no full members yet; seconds since the epoch. Where it is missing, all are. */
  readonly fullMembersJoinedThrough?: number;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly isDeactivated: boolean;
}

/** Where code of a language can be tried out. */
export interface PlaygroundRecord {
  readonly id: number;
  readonly name: string;
  readonly language: string;
  /** RFC 6570, with the variable `code`. */
  readonly urlTemplate: string;
}

/** What of texts becomes a link. */
export interface LinkifierRecord {
  readonly id: number;
  /** In the syntax of RE2. */
  readonly pattern: string;
  /** RFC 6570; its variables are the pattern's groups. */
  readonly urlTemplate: string;
}

/** The bots that every organization has from the server: they write, and can be written to, and are nobody's account. */
export type SystemBot = 'notification' | 'welcome' | 'email-gateway';

/** Weaker than all others: who has it is in no group. */
export const NO_MEMBERS_ROLE = 1000;

/** What kinds of bots there are. Incoming webhook bots only send messages; a service of their own is told what is said to outgoing ones. */
export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3 } as const;

/** What a service understands, by the wire's numbers: this API's own form, or that of Slack's outgoing webhooks. */
export const ServiceInterface = { generic: 1, slack: 2 } as const;
export type ServiceInterface = (typeof ServiceInterface)[keyof typeof ServiceInterface];

/** The service of an outgoing webhook bot. */
export interface BotService {
  readonly name: string;
  /** As it was given; empty: none yet. */
  readonly url: string;
  readonly interface: ServiceInterface;
}

/** What bots have beyond other accounts. */
export interface BotSettings {
  /** Channels by id, which the bot's program asks for; the server itself does nothing with them. */
  readonly sendingChannelId: number | null;
  readonly eventsChannelId: number | null;
  readonly allPublicChannels: boolean;
  /** Of outgoing webhook bots alone. */
  readonly service?: BotService;
}

export interface UserRecord {
  readonly id: number;
  /** The API address: what the wire calls `email`. */
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
  /** The address of the picture that was uploaded, which nobody can guess; missing where there is none. */
  readonly avatarFile?: string;
  readonly apiKeyVersion: number;
  /** Seconds since the epoch. */
  readonly joinedAt: number;
  /** Only of bots that people have made. */
  readonly bot?: BotSettings;
  /** Of those that the server asks, what was decided; the others are as they are at first. */
  readonly settings?: HeldSettings;
  /** Only of the server's own bots. */
  readonly systemBot?: SystemBot;
}

export interface ChannelRecord {
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
  readonly messageRetentionDays: number | null;
  readonly topicsPolicy: TopicsPolicy;
  readonly folderId: number | null;
  readonly firstMessageId: number | null;
  /** Whether it has had a message lately, or is young. */
  readonly isRecentlyActive: boolean;
  readonly groupSettings: ChannelGroupSettings;
}

export type TopicsPolicy = 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';

type WithoutGroup<Name> = Name extends `${infer Key}_group` ? Key : never;

/** A permission that a channel grants to groups, as it is stored: by its wire name without `_group`. */
export type ChannelGroupSetting = WithoutGroup<ChannelPermission>;

export const CHANNEL_GROUP_SETTINGS = Object.keys(CHANNEL_PERMISSIONS).map((name) =>
  name.slice(0, -'_group'.length),
) as readonly ChannelGroupSetting[];

/** All of them, of one channel. */
export type ChannelGroupSettings = Readonly<Record<ChannelGroupSetting, GroupSetting>>;

/** The permissions that let a user know a private channel without being subscribed. */
export const REVEALING_SETTINGS = [
  'can_administer_channel',
  'can_add_subscribers',
  'can_subscribe',
] as const satisfies readonly ChannelGroupSetting[];

/** Of a channel, what decides who may know it. */
export interface ChannelAccess {
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly groupSettings: Readonly<Record<(typeof REVEALING_SETTINGS)[number], GroupSetting>>;
}

/** That part alone. */
export function channelAccess({ isPrivate, isWebPublic, groupSettings }: ChannelAccess): ChannelAccess {
  const { can_administer_channel, can_add_subscribers, can_subscribe } = groupSettings;
  return { isPrivate, isWebPublic, groupSettings: { can_administer_channel, can_add_subscribers, can_subscribe } };
}

export function isSameAccess(a: ChannelAccess, b: ChannelAccess): boolean {
  if (a.isPrivate !== b.isPrivate || a.isWebPublic !== b.isWebPublic) return false;
  return REVEALING_SETTINGS.every((name) => isSameSetting(a.groupSettings[name], b.groupSettings[name]));
}

/** Whether the two are the same value in the form in which values are stored. */
export function isSameSetting(a: GroupSetting, b: GroupSetting): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return isSameList(a.directMembers, b.directMembers) && isSameList(a.directSubgroups, b.directSubgroups);
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** An organization's own emoji. Nothing of it ever changes but whether it is in use. */
export interface EmojiRecord {
  readonly id: number;
  readonly name: string;
  readonly authorId: number;
  /** Of its pictures' address. */
  readonly file: string;
  readonly extension: string;
  readonly isAnimated: boolean;
  readonly isDeactivated: boolean;
}

/** Of one group, what has been decided; the others have their defaults (access/groups.ts). */
export type GroupPermissions = Readonly<Partial<Record<GroupPermission, GroupSetting>>>;

export interface GroupRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isSystem: boolean;
  readonly creatorId: number | null;
  readonly createdAt: number;
  readonly isDeactivated: boolean;
  /** Missing in facts of versions that did not have any. */
  readonly permissions?: GroupPermissions;
}
