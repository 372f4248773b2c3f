import type { Linkifiers } from './linkifiers.ts';

/** Someone who can be mentioned. */
export interface MarkupUser {
  readonly id: number;
  readonly fullName: string;
  /** False for a deactivated account, whose mentions are always silent. Absent means active. */
  readonly isActive?: boolean;
}

export interface MarkupChannel {
  readonly id: number;
  readonly name: string;
}

export interface MarkupGroup {
  readonly id: number;
  /** As people read it. */
  readonly name: string;
  /** False for a deactivated group, whose mentions are always silent. Absent means active. */
  readonly isActive?: boolean;
}

export interface MarkupEmoji {
  readonly id: number | string;
  readonly name: string;
  /** Address of the picture: `http(s)` or a path from the organization's root. */
  readonly sourceUrl: string;
}

/**
 * What the renderer may ask of the organization while it reads one message. Answers must be what the *sender* may know:
 * a channel that is hidden from the sender is `undefined`, so that its id cannot be learned by linking to its name.
 */
export interface MarkupDirectory {
  userById(id: number): MarkupUser | undefined;
  /** Everyone of that exact name, ignoring case. */
  usersByName(fullName: string): readonly MarkupUser[];
  channelByName(name: string): MarkupChannel | undefined;
  groupByName?(name: string): MarkupGroup | undefined;
  /** An active custom emoji; it wins over a Unicode emoji of the same name. */
  customEmoji?(name: string): MarkupEmoji | undefined;
  /** The newest message of a topic that the sender may read; makes topic links survive a rename (`/with/<id>`). */
  latestMessageInTopic?(channelId: number, topic: string): number | undefined;
}

export interface RenderOptions {
  /** False where there is no channel to mention (direct messages): `@**all**` and `@**topic**` stay text. */
  readonly allowWildcardMentions: boolean;
  /** The organization's own address, without a trailing slash. Links into it are made relative. */
  readonly organizationUrl: string;
  /** Of code blocks that do not say theirs; '' or missing: none. */
  readonly defaultCodeLanguage?: string;
  /** The organization's; missing: it has none. */
  readonly linkifiers?: Linkifiers | undefined;
  /** Whether `:)` and the like become emoji. */
  readonly translateEmoticons?: boolean;
}

/** A message's HTML and what a send needs to know about it. */
export interface RenderedMarkup {
  readonly html: string;
  /** Users mentioned aloud, each once, in order of appearance. */
  readonly mentionedUserIds: readonly number[];
  readonly mentionedGroupIds: readonly number[];
  /** `@**all**`, `everyone`, `channel` or `stream`, aloud and outside of quotes. */
  readonly mentionsChannel: boolean;
  readonly mentionsTopic: boolean;
  readonly isMeMessage: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
}
