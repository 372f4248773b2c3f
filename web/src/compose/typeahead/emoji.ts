import { Subject } from '@heddle/client/model/changes.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { Emoji } from '../../emoji/emoji.ts';
import type { searchEmoji } from '../../emoji/emoji-search.ts';
import type { EmojiTable } from '../../emoji/emoji-table.ts';
import type { Suggestion } from './suggestion.ts';

const MAX_SUGGESTIONS = 8;

interface EmojiSource {
  readonly table: EmojiTable;
  readonly search: typeof searchEmoji;
  /** The emoji that the user chose last, newest first. */
  readonly recent: readonly Emoji[];
}

/** The table of emoji and its search, which are loaded when somebody first begins a name. */
class LazyEmoji {
  /** Notified when they are there. */
  readonly changes = new Subject();
  #source: EmojiSource | undefined;
  #isLoading = false;

  get source(): EmojiSource | undefined {
    return this.#source;
  }

  async load(model: Model): Promise<void> {
    if (this.#isLoading || this.#source !== undefined) return;
    this.#isLoading = true;
    try {
      const [{ loadEmojiTable }, { searchEmoji: search }, { recentEmoji }] = await Promise.all([
        import('../../emoji/emoji-table.ts'),
        import('../../emoji/emoji-search.ts'),
        import('../../emoji/recent-emoji.ts'),
      ]);
      this.#source = { table: await loadEmojiTable(model), search, recent: recentEmoji(model.ownId) };
      this.changes.changed();
    } catch {
      // Without a connection there are no suggestions. The next character tries again.
    } finally {
      this.#isLoading = false;
    }
  }
}

export const lazyEmoji = new LazyEmoji();

/** Emoji by name and keyword. Those that the user chose last win ties. Empty until the table is loaded. */
export function emojiSuggestions(model: Model, query: string): Suggestion[] {
  const { source } = lazyEmoji;
  if (source === undefined) {
    void lazyEmoji.load(model);
    return [];
  }
  const { table, search, recent } = source;
  const popularity = ({ name }: Emoji): number => {
    const index = recent.findIndex((one) => one.name === name);
    return index < 0 ? 0 : recent.length - index;
  };
  return search(table, model.emoji, query, { limit: MAX_SUGGESTIONS, popularity }).map(({ type, name, code }) => {
    const url = type === 'unicode_emoji' ? undefined : model.emoji.active.get(name)?.url;
    const character = table.byCode.get(code)?.characters ?? '';
    return {
      key: `emoji ${type} ${code}`,
      label: name,
      icon: url === undefined ? { kind: 'emoji', character } : { kind: 'custom-emoji', url },
      insert: `:${name}: `,
    };
  });
}
