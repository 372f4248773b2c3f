import type { CustomEmojiById, EventOfType, InitialState } from '../calls/types.ts';
import { Subject } from './changes.ts';

export interface CustomEmojiRecord {
  readonly id: string;
  readonly name: string;
  /** The path of the image. */
  readonly url: string;
  /** The path of a still image. Null if the emoji is not animated. */
  readonly stillUrl: string | null;
  /** Messages can still show a deactivated emoji, but users cannot use it again. */
  readonly isDeactivated: boolean;
  readonly authorId: number;
}

/**
 * The custom emoji of the organization.
 *
 * Invariant: active emoji have distinct names, so a name finds one.
 */
export class CustomEmoji {
  readonly changes = new Subject();
  #byId: ReadonlyMap<string, CustomEmojiRecord> = new Map();
  #byName: ReadonlyMap<string, CustomEmojiRecord> = new Map();

  constructor(state: InitialState) {
    this.#replace(state.realm_emoji ?? {});
  }

  /** All emoji, also deactivated ones. */
  get all(): ReadonlyMap<string, CustomEmojiRecord> {
    return this.#byId;
  }

  /** The emoji that users can use, by name. */
  get active(): ReadonlyMap<string, CustomEmojiRecord> {
    return this.#byName;
  }

  get(id: string): CustomEmojiRecord | undefined {
    return this.#byId.get(id);
  }

  /** Each event contains all emoji, so this reads all of them. */
  apply({ realm_emoji }: EventOfType<'realm_emoji'>): void {
    this.#replace(realm_emoji);
    this.changes.changed();
  }

  #replace(emoji: CustomEmojiById): void {
    const records = Object.values(emoji).map((one) => ({
      id: one.id,
      name: one.name,
      url: one.source_url,
      stillUrl: one.still_url,
      isDeactivated: one.deactivated,
      authorId: one.author_id,
    }));
    this.#byId = new Map(records.map((record) => [record.id, record]));
    this.#byName = new Map(records.flatMap((record) => (record.isDeactivated ? [] : [[record.name, record]])));
  }

  /** The content in comparable form. */
  plain(): object {
    return [...this.#byId.values()].sort((a, b) => Number(a.id) - Number(b.id));
  }
}
