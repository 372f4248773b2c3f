import type { customEmoji } from '@heddle/api/objects/custom-emoji.ts';
import type { Static } from 'typebox';
import type { Directory } from '../../../directory/directory.ts';
import { type EmojiRecord, emojiPart } from './custom-emoji.ts';
import { pictureUrl, stillUrl } from './queries.ts';

type WireEmoji = Static<typeof customEmoji>;

/** All custom emoji by id as API objects, including deactivated ones. */
export function presentAllEmoji(directory: Directory): Record<string, WireEmoji> {
  return byId([...directory.part(emojiPart).all.values()].map((emoji) => presentEmoji(directory, emoji)));
}

/** The same for these ids only. Events use it, so that a late reader gets the state at the event. */
export function presentEmojiOf(
  directory: Directory,
  active: readonly number[],
  deactivated: readonly number[],
): Record<string, WireEmoji> {
  const present = (ids: readonly number[], isDeactivated: boolean) =>
    ids.flatMap((id) => {
      const emoji = directory.part(emojiPart).all.get(id);
      return emoji === undefined ? [] : presentEmoji(directory, { ...emoji, isDeactivated });
    });
  return byId([...present(active, false), ...present(deactivated, true)]);
}

function presentEmoji(directory: Directory, emoji: EmojiRecord): WireEmoji {
  return {
    id: String(emoji.id),
    name: emoji.name,
    source_url: pictureUrl(directory, emoji),
    still_url: stillUrl(directory, emoji),
    deactivated: emoji.isDeactivated,
    author_id: emoji.authorId,
  };
}

function byId(all: readonly WireEmoji[]): Record<string, WireEmoji> {
  return Object.fromEntries(all.map((emoji) => [emoji.id, emoji]));
}
