/** What a session knows of its queue: where it is, and enough to bring a new tab or the store up to date. */
import type { InitialState, ServerEvent } from '../calls/types.ts';
import type { EventBatch, Position, Snapshot } from './position.ts';

/** The journal keeps at least this many events, and up to twice as many. */
export const MIN_KEPT_EVENTS = 2_000;

export class Journal {
  readonly #compact: (() => InitialState | undefined) | undefined;
  #queueId: string | undefined;
  #lastEventId = -1;
  /** The state after `#baseEventId`. Undefined if the events that followed it are no longer kept. */
  #base: InitialState | undefined;
  #baseEventId = -1;
  /** All events after `#keptAfter`. */
  #events: ServerEvent[] = [];
  #keptAfter = -1;

  /** @param compact returns the app's state after the last event that it got, or undefined */
  constructor(compact?: () => InitialState | undefined) {
    this.#compact = compact;
  }

  get position(): Position | undefined {
    return this.#queueId === undefined ? undefined : { queueId: this.#queueId, lastEventId: this.#lastEventId };
  }

  replace({ queueId, state, previousEventId, lastEventId, events }: Snapshot): void {
    this.#queueId = queueId;
    this.#base = state;
    this.#baseEventId = previousEventId;
    this.#events = [...events];
    this.#keptAfter = previousEventId;
    this.#lastEventId = lastEventId;
  }

  /**
   * Adds the events of the batch that it does not have, and returns those. Returns undefined if it misses events before
   * the batch, or the batch is of another queue.
   */
  append({ queueId, previousEventId, lastEventId, events }: EventBatch): readonly ServerEvent[] | undefined {
    if (queueId !== this.#queueId || previousEventId > this.#lastEventId) return undefined;
    const last = this.#lastEventId;
    const added = last <= previousEventId ? events : events.filter((event) => event.id > last);
    this.#lastEventId = Math.max(last, lastEventId);
    this.#events.push(...added);
    if (this.#events.length > 2 * MIN_KEPT_EVENTS) this.#trim();
    return added;
  }

  /** The events after a position. Undefined if they are not kept, or the position is of another queue or a later one. */
  since({ queueId, lastEventId }: Position): EventBatch | undefined {
    if (queueId !== this.#queueId || lastEventId < this.#keptAfter || lastEventId > this.#lastEventId) return undefined;
    const events = this.#events.slice(this.#indexAfter(lastEventId));
    return { queueId, previousEventId: lastEventId, lastEventId: this.#lastEventId, events };
  }

  /** A state and the events after it. Undefined if there is no queue, or the app cannot state its own. */
  snapshot(): Snapshot | undefined {
    const queueId = this.#queueId;
    if (queueId === undefined) return undefined;
    const lastEventId = this.#lastEventId;
    if (this.#base !== undefined) {
      const events = this.#events.slice(this.#indexAfter(this.#baseEventId));
      return { queueId, state: this.#base, previousEventId: this.#baseEventId, lastEventId, events };
    }
    return this.compacted();
  }

  /** Whether the app can state its own state. */
  get canCompact(): boolean {
    return this.#compact !== undefined;
  }

  /** The app's state now, without events. Undefined if the app cannot state it. */
  compacted(): Snapshot | undefined {
    const queueId = this.#queueId;
    const state = this.#compact?.();
    if (queueId === undefined || state === undefined) return undefined;
    const lastEventId = this.#lastEventId;
    return { queueId, state, previousEventId: lastEventId, lastEventId, events: [] };
  }

  /** Frees the memory of the base, if the app can state a newer one. Call it when the base is stored. */
  releaseBase(): void {
    if (this.#compact !== undefined) this.#base = undefined;
  }

  #trim(): void {
    const dropped = this.#events.length - MIN_KEPT_EVENTS;
    this.#keptAfter = this.#events[dropped - 1]?.id ?? this.#keptAfter;
    this.#events = this.#events.slice(dropped);
    if (this.#baseEventId < this.#keptAfter) this.#base = undefined;
  }

  /** The index of the first event after this one, by binary search. */
  #indexAfter(eventId: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.id ?? 0) > eventId) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
