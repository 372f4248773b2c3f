import type { EmojiRecord } from './records.ts';

/** An organization's own emoji, by id and, while they are in use, by name. Those that are not stay: messages have them still. */
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

  /** In the order of their ids. */
  get all(): ReadonlyMap<number, EmojiRecord> {
    return this.#emoji;
  }

  /** The one in use. */
  byName(name: string): EmojiRecord | undefined {
    return this.#active.get(name);
  }

  /** In use or not. */
  byFile(file: string): EmojiRecord | undefined {
    return this.#byFile.get(file);
  }
}
