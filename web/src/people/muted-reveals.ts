import { KeyedSubject } from '@heddle/client/model/changes.ts';

/** The messages of muted users that the reader has chosen to see, until the page is closed. */
class MutedReveals {
  readonly changesOf = new KeyedSubject<number>();
  readonly #ids = new Set<number>();

  has(messageId: number): boolean {
    return this.#ids.has(messageId);
  }

  reveal(messageId: number): void {
    this.#ids.add(messageId);
    this.changesOf.changed(messageId);
  }

  hide(messageId: number): void {
    if (this.#ids.delete(messageId)) this.changesOf.changed(messageId);
  }
}

/** The one of this page. */
export const mutedReveals = new MutedReveals();
