import { Subject } from '@heddle/client/model/changes.ts';
import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import type { App } from '../../base/app.tsx';
import type { LiveSession } from '../drafts/live-sessions.ts';

/** A message that the user has sent, and whose files are not uploaded yet. */
export interface Waiting extends LiveSession {
  /** Its draft, which keeps the text until it is sent. */
  readonly draftId: string | undefined;
}

/**
 * The messages of this page that wait for their files. Invariants:
 * - A message is sent as soon as its files are uploaded, wherever the user is.
 * - If a file fails, the message returns to the box. A text that the user writes there meanwhile is not replaced.
 * - Its text is stored until it is sent. If the page ends before, the next page says so and has the text.
 */
class WaitingStore {
  readonly changes = new Subject();
  /** The one with which messages are sent now. */
  app: App | undefined;
  #list: readonly Waiting[] = [];

  at(place: Place): readonly Waiting[] {
    const key = keyOf(place);
    return this.#list.filter(({ placeKey }) => placeKey === key);
  }

  has(message: Waiting): boolean {
    return this.#list.includes(message);
  }

  add(message: Waiting): void {
    this.#list = [...this.#list, message];
    this.changes.changed();
  }

  remove(message: Waiting): void {
    this.#list = this.#list.filter((one) => one !== message);
    this.changes.changed();
  }
}

export const waitingStore = new WaitingStore();
