/** What other programs export, in one form. Keys are the ids of those programs. */

export interface NeutralUser {
  readonly key: string;
  /** Null: the archive does not have it, or the user has none. */
  readonly email: string | null;
  readonly fullName: string;
  readonly role: number;
  readonly isActive: boolean;
  readonly isBot: boolean;
  /** The owner of a bot. */
  readonly owner?: string | undefined;
  readonly joinedAt?: Date | undefined;
  readonly timezone?: string | undefined;
  /** The path of the picture in the archive. */
  readonly avatar?: string | undefined;
  /** Settings by their names in the API, which are valid. */
  readonly settings?: object | undefined;
}

/** A group, or a set of users and groups. */
export type NeutralGroupSetting = string | { readonly users: readonly string[]; readonly groups: readonly string[] };

/** By the names of the permissions in the API. Those that are missing have their defaults. */
export type NeutralPermissions = Readonly<Record<string, NeutralGroupSetting>>;

export interface NeutralChannel {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly isDefault: boolean;
  readonly isWebPublic?: boolean;
  /** Subscribers read only what they received. */
  readonly isHistoryProtected?: boolean;
  readonly createdAt?: Date | undefined;
  readonly creator?: string | undefined;
  readonly folder?: string | undefined;
  /** Null: as the organization; -1: forever. */
  readonly retentionDays?: number | null;
  readonly topicsPolicy?: string;
  readonly permissions?: NeutralPermissions;
}

export interface NeutralSubscription {
  readonly user: string;
  readonly channel: string;
  readonly color?: string | undefined;
  readonly isMuted?: boolean;
  readonly pinToTop?: boolean;
  /** True or false overrides the user's settings. */
  readonly notifications?: Readonly<Partial<Record<NotificationKind, boolean | null>>>;
  /** The time up to which everything is read, in milliseconds since the epoch. Undefined: everything is read. */
  readonly readThrough?: number | undefined;
}

export type NotificationKind =
  | 'desktop_notifications'
  | 'audible_notifications'
  | 'push_notifications'
  | 'email_notifications'
  | 'wildcard_mentions_notify';

export interface NeutralGroup {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
  readonly subgroups?: readonly string[];
  readonly creator?: string | undefined;
  readonly createdAt?: Date | undefined;
  readonly isDeactivated?: boolean;
  readonly permissions?: NeutralPermissions;
}

export interface NeutralFolder {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly isArchived: boolean;
  readonly creator?: string | undefined;
  readonly createdAt?: Date | undefined;
}

export interface NeutralEmoji {
  readonly name: string;
  readonly author?: string | undefined;
  readonly isDeactivated?: boolean;
  /** The path of the picture in the archive. */
  readonly path: string;
}

export interface NeutralFile {
  readonly key: string;
  /** The path of the content in the archive. */
  readonly path: string;
  readonly name: string;
  /** The text has the link itself. Otherwise a line with the link follows the text. */
  readonly isInText?: boolean;
}

/** A file that an object of its own describes, so it does not need a message. */
export interface NeutralUpload extends NeutralFile {
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A change of the text or the place of a message. */
export interface NeutralEdit {
  readonly user: string;
  /** Milliseconds since the epoch. */
  readonly editedAt: number;
  readonly previousText?: string | undefined;
  readonly topic?: { readonly from: string; readonly to: string } | undefined;
  readonly channel?: { readonly from: string; readonly to: string } | undefined;
}

export interface NeutralReaction {
  readonly name: string;
  readonly users: readonly string[];
  readonly emoji?: KnownEmoji | undefined;
}

/** What a name means, if the program says it. Otherwise custom emoji win. */
export interface KnownEmoji {
  readonly kind: 'unicode' | 'custom' | 'extra';
  /** Of a Unicode emoji: its code points. */
  readonly code: string;
}

/** What a message has beside its text. An archive can have it apart from the message. */
export interface NeutralDetails {
  readonly reactions?: readonly NeutralReaction[] | undefined;
  readonly unreadBy?: readonly string[] | undefined;
  readonly starredBy?: readonly string[] | undefined;
  /** Read although the subscription says that it is not. */
  readonly readBy?: readonly string[] | undefined;
  readonly mentioned?: readonly string[] | undefined;
  readonly topicMentioned?: readonly string[] | undefined;
  readonly channelMentioned?: readonly string[] | undefined;
  readonly alerted?: readonly string[] | undefined;
  readonly collapsedBy?: readonly string[] | undefined;
  /** Who received a message of a channel with protected history. */
  readonly receivedBy?: readonly string[] | undefined;
  readonly widgets?: readonly { readonly sender: string; readonly content: string }[] | undefined;
}

export interface NeutralMessage extends NeutralDetails {
  readonly key: string;
  readonly sender: string;
  /** For a sender who is not among the users. */
  readonly senderName?: string | undefined;
  /** Null: a direct message. */
  readonly channel: string | null;
  /** Null: a channel message. The sender need not be among them. */
  readonly participants: readonly string[] | null;
  /** The key of the first message of its thread, which can be this one. */
  readonly thread?: string | undefined;
  /** Where the program itself has topics. */
  readonly topic?: string | undefined;
  /** In the markup of the program. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly editedAt?: number | undefined;
  readonly edits?: readonly NeutralEdit[] | undefined;
  readonly files: readonly NeutralFile[];
  /** Who follows the thread that begins with it. */
  readonly followers?: readonly string[] | undefined;
  /** The program that sent it, if the archive says so. */
  readonly client?: string | undefined;
}

/** Details of a message that the archive has apart from it. */
export interface DetailsOf extends NeutralDetails {
  readonly of: string;
}

/** Names and links as Markdown. Undefined: there is no such object. */
export interface References {
  mention(userKey: string, isSilent?: boolean): string | undefined;
  mentionByName(name: string): string | undefined;
  groupMention(groupKey: string, isSilent?: boolean): string | undefined;
  channel(channelKey: string): string | undefined;
  channelByName(name: string): string | undefined;
  /** The address of a message. */
  message(messageKey: string): string | undefined;
  /** The address of a file below `/user_uploads/`. */
  file(fileKey: string): string | undefined;
}

/** Ids of this organization. Undefined: there is no such object. */
export interface Ids {
  userId(userKey: string): number | undefined;
  channelId(channelKey: string): number | undefined;
  messageId(messageKey: string): number | undefined;
}
