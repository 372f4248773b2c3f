import { hash } from 'node:crypto';
import type { Directory } from '../../directory/directory.ts';
import type { EmojiRecord } from '../../directory/records.ts';
import { emojiData, type MarkupEmoji } from '../../markup/index.ts';

/** The names of all Unicode emoji by code, as the document that `server_emoji_data_url` promises. */
export const emojiDocument = JSON.stringify(emojiData);

/** Where it is served. The name changes with the content, so that clients may keep it for ever. */
export const emojiDocumentPath: `/${string}` = `/static/emoji/data-${hash('sha256', emojiDocument).slice(0, 16)}.json`;

/** What `:name:` stands for in messages, where it is one of the organization's own emoji in use. */
export function customEmojiNamed(directory: Directory, name: string): MarkupEmoji | undefined {
  const emoji = directory.emoji.byName(name);
  return emoji && { id: emoji.id, name, sourceUrl: pictureUrl(directory, emoji) };
}

/** Where its picture is, on the organization's address. */
export function pictureUrl({ organization }: Directory, { file, extension }: EmojiRecord): string {
  return `/user_avatars/${organization.id}/emoji/images/${file}.${extension}`;
}

/** Where the picture of one that moves is still; null for others. */
export function stillUrl({ organization }: Directory, { file, isAnimated }: EmojiRecord): string | null {
  return isAnimated ? `/user_avatars/${organization.id}/emoji/images/still/${file}.png` : null;
}
