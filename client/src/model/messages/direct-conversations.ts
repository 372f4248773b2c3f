import type { InitialState } from '../../calls/types.ts';
import { Subject } from '../changes.ts';
import type { MessageRecord } from './message-record.ts';
import { type DirectPlace, directPlace, keyOf } from './places.ts';

export interface DirectConversation {
  readonly place: DirectPlace;
  readonly maxId: number;
}

/** The direct conversations of the user with their newest messages. */
export class DirectConversations {
  /** The order of the entries is the order of their newest messages, oldest first. */
  readonly #conversations = new Map<string, DirectConversation>();
  #newestFirst: readonly DirectConversation[] | undefined;
  readonly changes = new Subject();

  constructor(state: InitialState, ownId: number) {
    const known = [...(state.recent_private_conversations ?? [])];
    for (const { user_ids, max_message_id } of known.sort((a, b) => a.max_message_id - b.max_message_id)) {
      const place = directPlace(user_ids, ownId);
      this.#conversations.set(keyOf(place), { place, maxId: max_message_id });
    }
  }

  /** Newest first. */
  list(): readonly DirectConversation[] {
    this.#newestFirst ??= [...this.#conversations.values()].reverse();
    return this.#newestFirst;
  }

  receive({ id, place }: Pick<MessageRecord, 'id' | 'place'>): void {
    if (place.kind !== 'direct') return;
    const key = keyOf(place);
    if ((this.#conversations.get(key)?.maxId ?? 0) >= id) return;
    this.#conversations.delete(key);
    this.#conversations.set(key, { place, maxId: id });
    this.#newestFirst = undefined;
    this.changes.changed();
  }

  /** The content in comparable form. */
  plain(): object {
    return this.list().map(({ place, maxId }) => ({ key: keyOf(place), maxId }));
  }
}
