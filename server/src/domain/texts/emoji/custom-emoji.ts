import type { Row } from '../../../db/schema.ts';
import type { DirectoryPart } from '../../../directory/part.ts';

/** A custom emoji. Only `isDeactivated` ever changes. */
export interface EmojiRecord {
  readonly id: number;
  readonly name: string;
  readonly authorId: number;
  /** A part of the URLs of its pictures. */
  readonly file: string;
  readonly extension: string;
  readonly isAnimated: boolean;
  readonly isDeactivated: boolean;
}

/**
 * An organization's custom emoji by id, and the active ones by name. Deactivated ones stay because messages still use
 * them.
 */
export class EmojiIndex {
  readonly #emoji = new Map<number, EmojiRecord>();
  readonly #active = new Map<string, EmojiRecord>();
  readonly #byFile = new Map<string, EmojiRecord>();

  put(emoji: EmojiRecord): void {
    this.#emoji.set(emoji.id, emoji);
    this.#byFile.set(emoji.file, emoji);
    if (!emoji.isDeactivated) this.#active.set(emoji.name, emoji);
    else if (this.#active.get(emoji.name)?.id === emoji.id) this.#active.delete(emoji.name);
  }

  /** In ascending order of id. */
  get all(): ReadonlyMap<number, EmojiRecord> {
    return this.#emoji;
  }

  /** The active emoji of this name. */
  byName(name: string): EmojiRecord | undefined {
    return this.#active.get(name);
  }

  /** Active or deactivated. */
  byFile(file: string): EmojiRecord | undefined {
    return this.#byFile.get(file);
  }
}

interface EmojiDelta {
  readonly delta: 'emoji';
  readonly emoji: EmojiRecord;
}

export const emojiDelta = (emoji: EmojiRecord): EmojiDelta => ({ delta: 'emoji', emoji });

/** The organization's custom emoji, in the directory. */
export const emojiPart: DirectoryPart<EmojiIndex, EmojiDelta> = {
  aspect: 'emoji',
  deltas: ['emoji'],
  create: () => new EmojiIndex(),
  async load(index, snapshot, organizationId) {
    const rows = await snapshot
      .selectFrom('custom_emoji')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute();
    for (const row of rows) index.put(emojiRecord(row));
  },
  apply: (index, { emoji }) => index.put(emoji),
  contents: (index) => [
    [...index.all.values()].toSorted((a, b) => a.id - b.id),
    [...index.all.values()].map(({ name }) => index.byName(name)?.id),
  ],
};

export function emojiRecord(row: Row<'custom_emoji'>): EmojiRecord {
  return {
    id: row.id,
    name: row.name,
    authorId: row.author_id,
    file: row.file,
    extension: row.extension,
    isAnimated: row.is_animated,
    isDeactivated: row.is_deactivated,
  };
}
