/** Finds emoji by name and keyword, for the picker and for typeahead. */
import type { Emoji } from './emoji.ts';
import type { EmojiTable, TableEmoji } from './emoji-table.ts';

/** The part of the custom emoji that the search needs. */
interface CustomNames {
  readonly active: ReadonlyMap<string, { readonly id: string; readonly name: string }>;
}

/** What the organization adds: its own emoji, and the one that is part of clients. */
export function customEmoji({ active }: CustomNames): readonly Emoji[] {
  const own = [...active.values()].map(({ id, name }): Emoji => ({ type: 'realm_emoji', code: id, name }));
  return own.sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * The emoji whose name or a keyword contains each word of the query, best first: names before keywords, whole words
 * before beginnings, beginnings before parts. Popular ones win ties.
 * @param popularity how often the user chose an emoji
 */
export function searchEmoji(
  table: EmojiTable,
  custom: CustomNames,
  query: string,
  { limit, popularity = () => 0 }: { readonly limit: number; readonly popularity?: (emoji: Emoji) => number },
): readonly Emoji[] {
  const wanted = query
    .toLowerCase()
    .replaceAll(/[\s:_-]+/g, ' ')
    .trim();
  if (wanted === '') return [];
  const exact = table.all.find(({ characters }) => characters.replace('\ufe0f', '') === wanted.replace('\ufe0f', ''));
  if (exact !== undefined) return [exact];
  // An organization's own emoji hides the one with the same name.
  const hidden = custom.active;
  const candidates = [
    ...customEmoji(custom).map((emoji) => ({ emoji, rank: rankOf(emoji, [emoji.name], wanted) })),
    ...table.all.map((emoji) => ({
      emoji,
      rank: hidden.has(emoji.name) ? undefined : rankOf(emoji, emoji.words, wanted),
    })),
  ];
  return candidates
    .filter((one): one is { emoji: TableEmoji; rank: number } => one.rank !== undefined)
    .sort((a, b) => a.rank - b.rank || popularity(b.emoji) - popularity(a.emoji))
    .slice(0, limit)
    .map(({ emoji }) => emoji);
}

/** Lower is better. Undefined if a word of the query is in none of the words. */
function rankOf({ name }: Emoji, words: readonly string[], wanted: string): number | undefined {
  const plainName = name.replaceAll(/[_-]/g, ' ');
  if (plainName === wanted) return 0;
  if (plainName.startsWith(wanted)) return 1;
  const plain = words.map((word) => word.replaceAll(/[_-]/g, ' '));
  if (plain.includes(wanted)) return 2;
  const parts = wanted.split(' ');
  if (parts.every((part) => plain.some((word) => ` ${word}`.includes(` ${part}`)))) return 3;
  // Parts of words are noise for one or two letters.
  if (wanted.length > 2 && parts.every((part) => plain.some((word) => word.includes(part)))) return 4;
  return undefined;
}
