/** The Unicode emoji that the server knows, with categories and keywords. It is loaded when somebody first needs it. */
import type { Model } from '@heddle/client/model/model.ts';
import { currentLocale, type Locale } from '../base/i18n.ts';
import { charactersOf, type Emoji } from './emoji.ts';

/** The categories of Unicode, in the order of pickers. The numbers are those of the data. */
export const CATEGORIES = [0, 1, 3, 4, 5, 6, 7, 8, 9] as const;
export type Category = (typeof CATEGORIES)[number];

/** One emoji of the data. */
export interface CompactEmoji {
  /** Code points, for example `1F44D` or `2764-FE0F`. */
  readonly hexcode: string;
  readonly unicode: string;
  readonly label: string;
  /** The category. Undefined for parts of emoji. */
  readonly group?: number;
  readonly order?: number;
  readonly tags?: readonly string[];
  /** The same with skin tones. */
  readonly skins?: readonly CompactEmoji[];
}

export interface TableEmoji extends Emoji {
  readonly category: Category;
  /** The characters to show. */
  readonly characters: string;
  /** What it depicts, in the language of the user. */
  readonly label: string;
  /** All names of the API and all keywords, in lower case. */
  readonly words: readonly string[];
  /** The same with the five skin tones, from light to dark, as characters. Undefined for emoji without tones. */
  readonly tones: readonly string[] | undefined;
}

export interface EmojiTable {
  /** In the order of pickers. */
  readonly all: readonly TableEmoji[];
  readonly byCode: ReadonlyMap<string, TableEmoji>;
  /** All names of the API, also the alternative ones. */
  readonly byName: ReadonlyMap<string, TableEmoji>;
}

const DATA: Readonly<Record<Locale, () => Promise<{ readonly default: readonly CompactEmoji[] }>>> = {
  en: () => import('emojibase-data/en/compact.json') as Promise<{ readonly default: readonly CompactEmoji[] }>,
  de: () => import('emojibase-data/de/compact.json') as Promise<{ readonly default: readonly CompactEmoji[] }>,
};

const tables = new Map<string, Promise<EmojiTable>>();

/** The table in the language of the user. Later calls give the same one. Rejects without a connection. */
export function loadEmojiTable(model: Model): Promise<EmojiTable> {
  const locale = currentLocale();
  const url = model.organization.server.emoji_data_url;
  const key = `${locale} ${url}`;
  let table = tables.get(key);
  if (table === undefined) {
    table = read(locale, url);
    tables.set(key, table);
    // A failed attempt must not remain.
    table.catch(() => tables.delete(key));
  }
  return table;
}

async function read(locale: Locale, url: string): Promise<EmojiTable> {
  const [names, english, localized] = await Promise.all([readNames(url), DATA.en(), DATA[locale]()]);
  return tableOf(names, english.default, localized.default);
}

/** The server publishes the names of all emoji by code. */
async function readNames(url: string): Promise<Readonly<Record<string, readonly string[]>>> {
  // The server is reached at the origin of the page, whatever host its own configuration names.
  const response = await fetch(new URL(url, window.location.href).pathname);
  if (!response.ok) throw new Error(`the names of emoji: status ${response.status}`);
  const body = (await response.json()) as { readonly code_to_names: Readonly<Record<string, readonly string[]>> };
  return body.code_to_names;
}

/**
 * @param names all names by code, the canonical one first
 * @param english keywords of every user's second language
 */
export function tableOf(
  names: Readonly<Record<string, readonly string[]>>,
  english: readonly CompactEmoji[],
  localized: readonly CompactEmoji[],
): EmojiTable {
  const englishTags = new Map(english.map(({ hexcode, tags = [], label }) => [hexcode, [label, ...tags]]));
  const all = localized
    .filter(({ group }) => group !== undefined)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .flatMap((one): TableEmoji[] => {
      const code = codeOf(one.hexcode);
      const [name, ...others] = names[code] ?? [];
      const category = CATEGORIES.find((each) => each === one.group);
      if (name === undefined || category === undefined) return [];
      const words = [name, ...others, one.label, ...(one.tags ?? []), ...(englishTags.get(one.hexcode) ?? [])];
      return [
        {
          type: 'unicode_emoji',
          code,
          name,
          category,
          characters: charactersOf(code) ?? one.unicode,
          label: one.label,
          words: [...new Set(words.map((word) => word.toLowerCase()))],
          tones: tonesOf(one),
        },
      ];
    });
  const byName = new Map(all.flatMap((emoji) => (names[emoji.code] ?? []).map((name) => [name, emoji] as const)));
  return { all, byCode: new Map(all.map((emoji) => [emoji.code, emoji])), byName };
}

/** Codes of the API have no variation selectors. */
function codeOf(hexcode: string): string {
  return hexcode.toLowerCase().replaceAll('-fe0f', '');
}

const SKIN_TONE_COUNT = 5;

function tonesOf({ skins = [] }: CompactEmoji): readonly string[] | undefined {
  // Emoji of two people have 25 combinations. The first of each row has the same tone twice.
  const same = skins.filter(({ hexcode }) => new Set(hexcode.match(/1F3F[B-F]/g)).size === 1);
  return same.length === SKIN_TONE_COUNT ? same.map(({ unicode }) => unicode) : undefined;
}
