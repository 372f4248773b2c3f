import type { Linkifiers } from './linkifiers.ts';

/** A user that a message can mention. */
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
  /** The name that readers see. */
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
  /** Null until the thumbnail exists. */
  readonly thumbnailUrl: string | null;
  /** For formats that browsers do not show: the name of the thumbnail that clients show instead. */
  readonly transcoded: string | null;
}

/** An uploaded file that the sender may see. */
export interface MarkupUpload {
  readonly contentType: string;
  readonly picture: MarkupPicture | null;
}

/**
 * What the renderer asks about the organization while it renders one message. The answers contain only what the *sender* may know: a
 * channel that is hidden from the sender is `undefined`. Otherwise a link to its name would reveal its id.
 */
export interface MarkupDirectory {
  userById(id: number): MarkupUser | undefined;
  /** All users of that name, ignoring case. */
  usersByName(fullName: string): readonly MarkupUser[];
  channelByName(name: string): MarkupChannel | undefined;
  groupByName?(name: string): MarkupGroup | undefined;
  /** An active custom emoji; it wins over a Unicode emoji of the same name. */
  customEmoji?(name: string): MarkupEmoji | undefined;
  /** The newest message of a topic that the sender may read. A link with it (`/with/<id>`) stays valid when the topic is renamed. */
  latestMessageInTopic?(channelId: number, topic: string): number | undefined;
  /** @param pathId its address below `/user_uploads/` */
  upload?(pathId: string): MarkupUpload | undefined;
}

export interface RenderOptions {
  /** False where there is no channel to mention (direct messages): `@**all**` and `@**topic**` stay text. */
  readonly allowWildcardMentions: boolean;
  /** The organization's own address, without a trailing slash. Links into it are made relative. */
  readonly organizationUrl: string;
  /** For code blocks that name none; '' or missing: no language. */
  readonly defaultCodeLanguage?: string;
  /** Missing: the organization has none. */
  readonly linkifiers?: Linkifiers | undefined;
  /** Whether `:)` and the like become emoji. */
  readonly translateEmoticons?: boolean;
  /** Whether messages show uploaded pictures and films below the links to them. */
  readonly showsUploads?: boolean;
  /**
   * Where readers find an image of another server, which messages then show below the links to it. Missing, or undefined for the image's
   * address: it is not shown. The renderer calls it for each such link, so it must not wait for anything.
   */
  readonly imageProxy?: ((url: string) => string | undefined) | undefined;
}

/** A message's HTML, and what sending it needs to know. */
export interface RenderedMarkup {
  readonly html: string;
  /** Users that the message mentions, but not silently; each once, in order of appearance. */
  readonly mentionedUserIds: readonly number[];
  readonly mentionedGroupIds: readonly number[];
  /** Whether there is `@**all**`, `everyone`, `channel` or `stream` outside of quotes, and not silent. */
  readonly mentionsChannel: boolean;
  readonly mentionsTopic: boolean;
  readonly isMeMessage: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  /** The paths below `/user_uploads/` to which it links, each once. */
  readonly uploads: readonly string[];
}
