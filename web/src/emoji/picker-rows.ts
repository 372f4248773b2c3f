import type { Emoji } from './emoji.ts';
import { customEmoji, searchEmoji } from './emoji-search.ts';
import { CATEGORIES, type Category, type EmojiTable } from './emoji-table.ts';

export type Section = 'recent' | 'custom' | Category;

/** A heading, or as many emoji as fit beside each other. */
export type PickerRow =
  | { readonly kind: 'heading'; readonly section: Section }
  | { readonly kind: 'emoji'; readonly section: Section | 'found'; readonly emoji: readonly Emoji[] };

export interface PickerSources {
  readonly table: EmojiTable;
  readonly custom: Parameters<typeof searchEmoji>[1];
  readonly recent: readonly Emoji[];
}

const MAX_FOUND_EMOJI = 90;

/** The rows of the picker: the sections, or what the search found. */
export function pickerRows(
  { table, custom, recent }: PickerSources,
  query: string,
  columns: number,
): readonly PickerRow[] {
  if (query.trim() !== '') {
    const order = new Map(recent.map(({ name }, index) => [name, recent.length - index]));
    const popularity = ({ name }: Emoji) => order.get(name) ?? 0;
    return chunks(searchEmoji(table, custom, query, { limit: MAX_FOUND_EMOJI, popularity }), columns).map((emoji) => ({
      kind: 'emoji',
      section: 'found',
      emoji,
    }));
  }
  const usable = recent.filter((emoji) => isUsable(emoji, table, custom)).slice(0, 2 * columns);
  const sections: (readonly [Section, readonly Emoji[]])[] = [
    ['recent', usable],
    ['custom', customEmoji(custom)],
    ...CATEGORIES.map((category) => [category, table.all.filter((one) => one.category === category)] as const),
  ];
  return sections.flatMap(([section, emoji]): PickerRow[] => {
    if (emoji.length === 0) return [];
    const rows = chunks(emoji, columns).map((some) => ({ kind: 'emoji', section, emoji: some }) as const);
    return [{ kind: 'heading', section }, ...rows];
  });
}

/** Custom emoji can be deactivated after somebody used them. */
function isUsable({ type, code, name }: Emoji, table: EmojiTable, custom: PickerSources['custom']): boolean {
  if (type === 'realm_emoji') return custom.active.get(name)?.id === code;
  return type === 'unicode_emoji' && table.byCode.has(code);
}

function chunks(emoji: readonly Emoji[], size: number): readonly (readonly Emoji[])[] {
  const rows: (readonly Emoji[])[] = [];
  for (let start = 0; start < emoji.length; start += size) rows.push(emoji.slice(start, start + size));
  return rows;
}

/** A cell of the grid. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The first emoji, or undefined if there is none. */
export function firstCell(rows: readonly PickerRow[]): Cell | undefined {
  const row = rows.findIndex(({ kind }) => kind === 'emoji');
  return row < 0 ? undefined : { row, column: 0 };
}

export function emojiAt(rows: readonly PickerRow[], cell: Cell | undefined): Emoji | undefined {
  const row = cell === undefined ? undefined : rows[cell.row];
  return row?.kind === 'emoji' ? row.emoji[cell?.column ?? 0] : undefined;
}

/** The cell that an arrow key leads to. At the ends it stays. */
export function neighbour(rows: readonly PickerRow[], { row, column }: Cell, key: string): Cell {
  const length = (index: number) => {
    const one = rows[index];
    return one?.kind === 'emoji' ? one.emoji.length : 0;
  };
  const nextRow = (step: 1 | -1): number | undefined => {
    for (let index = row + step; index >= 0 && index < rows.length; index += step) if (length(index) > 0) return index;
    return undefined;
  };
  switch (key) {
    case 'ArrowRight': {
      if (column + 1 < length(row)) return { row, column: column + 1 };
      const next = nextRow(1);
      return next === undefined ? { row, column } : { row: next, column: 0 };
    }
    case 'ArrowLeft': {
      if (column > 0) return { row, column: column - 1 };
      const previous = nextRow(-1);
      return previous === undefined ? { row, column } : { row: previous, column: length(previous) - 1 };
    }
    default: {
      const next = nextRow(key === 'ArrowDown' ? 1 : -1);
      return next === undefined ? { row, column } : { row: next, column: Math.min(column, length(next) - 1) };
    }
  }
}
