import { KeyedSubject } from '@heddle/client/model/changes.ts';

/** Messages of muted senders that the user wants to see. They stay visible until the page is loaded again. */
class Revealed {
  readonly changesOf = new KeyedSubject<number>();
  readonly #ids = new Set<number>();

  has(messageId: number): boolean {
    return this.#ids.has(messageId);
  }

  show(messageId: number): void {
    this.#ids.add(messageId);
    this.changesOf.changed(messageId);
  }

  hide(messageId: number): void {
    this.#ids.delete(messageId);
    this.changesOf.changed(messageId);
  }
}

export const revealed = new Revealed();
