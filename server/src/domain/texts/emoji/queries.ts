import { hash } from 'node:crypto';
import type { Directory } from '../../../directory/directory.ts';
import { emojiData, type MarkupEmoji } from '../../../markup/index.ts';
import { type EmojiRecord, emojiPart } from './custom-emoji.ts';

/** The names of all Unicode emoji by code: the document at `server_emoji_data_url`. */
export const emojiDocument = JSON.stringify(emojiData);

/** The path of the document. It changes with the content, so clients may cache it forever. */
export const emojiDocumentPath: `/${string}` = `/static/emoji/data-${hash('sha256', emojiDocument).slice(0, 16)}.json`;

/** The active custom emoji of `:name:` in messages. */
export function customEmojiNamed(directory: Directory, name: string): MarkupEmoji | undefined {
  const emoji = directory.part(emojiPart).byName(name);
  return emoji && { id: emoji.id, name, sourceUrl: pictureUrl(directory, emoji) };
}

/** The path of its picture, on the organization's host. */
export function pictureUrl({ organization }: Directory, { file, extension }: EmojiRecord): string {
  return `/user_avatars/${organization.id}/emoji/images/${file}.${extension}`;
}

/** The path of the still picture of an animated emoji; null for others. */
export function stillUrl({ organization }: Directory, { file, isAnimated }: EmojiRecord): string | null {
  return isAnimated ? `/user_avatars/${organization.id}/emoji/images/still/${file}.png` : null;
}
