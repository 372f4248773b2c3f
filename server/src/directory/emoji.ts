import type { EmojiRecord } from './records.ts';

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
