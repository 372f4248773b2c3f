import type { EventOfType, InitialState } from '../../calls/types.ts';
import { KeyedSubject } from '../changes.ts';
import { directPlace, keyOf, type Place, topicPlace } from './places.ts';

/** If the server says nothing about it. */
const DEFAULT_EXPIRY_MS = 45_000;

/** Who is writing where. A notice ends after the time that the server states, or when the message arrives. */
export class Typing {
  readonly #ownId: number;
  readonly #expiry: number;
  readonly #timers = new Map<string, Map<number, ReturnType<typeof setTimeout>>>();
  /** Changes of a conversation, by its key. */
  readonly changesOf = new KeyedSubject<string>();

  constructor(state: InitialState, ownId: number) {
    this.#ownId = ownId;
    this.#expiry = state.server_typing_started_expiry_period_milliseconds ?? DEFAULT_EXPIRY_MS;
  }

  /** The ids of the users who write in the conversation, in the order in which they began. */
  at(place: Place): readonly number[] {
    return [...(this.#timers.get(keyOf(place))?.keys() ?? [])];
  }

  apply(event: EventOfType<'typing'>): void {
    const userId = event.sender.user_id;
    if (userId === this.#ownId) return;
    const place =
      event.message_type === 'stream'
        ? topicPlace(event.stream_id, event.topic)
        : directPlace(
            event.recipients.map((one) => one.user_id),
            this.#ownId,
          );
    if (event.op === 'start') this.#begin(keyOf(place), userId);
    else this.#end(keyOf(place), userId);
  }

  /** A message of this user arrived. */
  receive(place: Place, userId: number): void {
    this.#end(keyOf(place), userId);
  }

  /** Ends all timers. */
  stop(): void {
    for (const users of this.#timers.values()) for (const timer of users.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #begin(key: string, userId: number): void {
    const users = this.#timers.get(key) ?? new Map();
    clearTimeout(users.get(userId));
    users.set(
      userId,
      setTimeout(() => this.#end(key, userId), this.#expiry),
    );
    this.#timers.set(key, users);
    this.changesOf.changed(key);
  }

  #end(key: string, userId: number): void {
    const users = this.#timers.get(key);
    const timer = users?.get(userId);
    if (users === undefined || timer === undefined) return;
    clearTimeout(timer);
    users.delete(userId);
    if (users.size === 0) this.#timers.delete(key);
    this.changesOf.changed(key);
  }
}
