import type { Reaction } from '@heddle/client/model/messages/message-record.ts';
import { type Emoji, keyOfEmoji } from '../../emoji/emoji.ts';

/** The reactions with one emoji. */
export interface ReactionGroup {
  readonly key: string;
  readonly emoji: Emoji;
  /** In the order in which they reacted. */
  readonly userIds: readonly number[];
}

/** The emoji of a message with those who reacted, in the order of the first reactions. */
export function groupReactions(reactions: readonly Reaction[]): readonly ReactionGroup[] {
  const groups = new Map<string, { key: string; emoji: Emoji; userIds: number[] }>();
  for (const { type, emojiCode: code, emojiName: name, userId } of reactions) {
    const key = keyOfEmoji({ type, code });
    const group = groups.get(key) ?? { key, emoji: { type, code, name }, userIds: [] };
    group.userIds.push(userId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** With more reactions, names would make the row too long. */
const MAX_NAMED_PEOPLE = 3;

/** Whether the row shows names instead of counts. */
export function showsNames(reactions: readonly Reaction[], isWanted: boolean): boolean {
  return isWanted && reactions.length <= MAX_NAMED_PEOPLE;
}
