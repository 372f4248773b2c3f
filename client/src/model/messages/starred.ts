import type { EventOfType, InitialState } from '../../calls/types.ts';
import { Subject } from '../changes.ts';

/** The ids of the messages that the user has starred. */
export class Starred {
  readonly #ids: Set<number>;
  readonly changes = new Subject();

  constructor(state: InitialState) {
    this.#ids = new Set(state.starred_messages);
  }

  get ids(): ReadonlySet<number> {
    return this.#ids;
  }

  get count(): number {
    return this.#ids.size;
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  applyFlags({ flag, op, messages }: EventOfType<'update_message_flags'>): void {
    if (flag !== 'starred') return;
    for (const id of messages) {
      if (op === 'add') this.#ids.add(id);
      else this.#ids.delete(id);
    }
    this.changes.changed();
  }

  remove(ids: Iterable<number>): void {
    const before = this.#ids.size;
    for (const id of ids) this.#ids.delete(id);
    if (this.#ids.size !== before) this.changes.changed();
  }

  /** The content in comparable form. */
  plain(): object {
    return [...this.#ids].sort((a, b) => a - b);
  }
}
