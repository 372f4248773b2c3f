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

/** An uploaded picture that the sender may see. */
export interface MarkupPicture {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
  readonly isAnimated: boolean;
  /** Null until it is drawn. */
  readonly thumbnailUrl: string | null;
  /** Of one that browsers do not show: the name of the drawing that stands for it. */
  readonly transcoded: string | null;
}

/** An uploaded file that the sender may see. */
export interface MarkupUpload {
  readonly contentType: string;
  readonly picture: MarkupPicture | null;
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
  /** @param pathId its address below `/user_uploads/` */
  upload?(pathId: string): MarkupUpload | undefined;
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
  /** Whether uploaded pictures and films are shown below the links to them. */
  readonly showsUploads?: boolean;
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
  /** The addresses below `/user_uploads/` that it links to, each once. */
  readonly uploads: readonly string[];
}
