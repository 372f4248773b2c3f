/** What other programs export, in one form. Keys are the ids of those programs. */
import type { Readable } from 'node:stream';

export interface NeutralUser {
  readonly key: string;
  /** Null: the archive does not have it, or the user has none. */
  readonly email: string | null;
  readonly fullName: string;
  readonly role: number;
  readonly isActive: boolean;
  readonly isBot: boolean;
  readonly joinedAt?: Date | undefined;
  readonly timezone?: string | undefined;
  /** The path of the picture in the archive. */
  readonly avatar?: string | undefined;
}

export interface NeutralChannel {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly isDefault: boolean;
  readonly createdAt?: Date | undefined;
  readonly creator?: string | undefined;
  readonly members: readonly string[];
}

export interface NeutralGroup {
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
}

export interface NeutralEmoji {
  readonly name: string;
  readonly author?: string | undefined;
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

/** A change of the text: what it was before. */
export interface NeutralEdit {
  readonly user: string;
  /** Milliseconds since the epoch. */
  readonly editedAt: number;
  readonly previousText: string;
}

export interface NeutralMessage {
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
  readonly reactions: readonly { readonly name: string; readonly users: readonly string[] }[];
  readonly files: readonly NeutralFile[];
  readonly unreadBy?: readonly string[] | undefined;
  readonly starredBy?: readonly string[] | undefined;
}

/** Names and links as Markdown. Undefined: there is no such object. */
export interface References {
  mention(userKey: string, isSilent?: boolean): string | undefined;
  mentionByName(name: string): string | undefined;
  channel(channelKey: string): string | undefined;
  channelByName(name: string): string | undefined;
  /** The address of a message. */
  message(messageKey: string): string | undefined;
  /** The address of a file below `/user_uploads/`. */
  file(fileKey: string): string | undefined;
}

export interface NeutralArchive {
  readonly fingerprint: string;
  readonly name: string;
  readonly description: string;
  readonly users: readonly NeutralUser[];
  readonly channels: readonly NeutralChannel[];
  readonly groups: readonly NeutralGroup[];
  readonly emoji: readonly NeutralEmoji[];
  /** In any order. They are read once. */
  messages(): AsyncIterable<NeutralMessage>;
  /** Converts the markup of a text. */
  markdown(text: string, references: References): string;
  /** Undefined: the archive does not have the file. */
  bytesOf(path: string): number | undefined;
  open(path: string): Promise<Readable>;
}
