import type { Message } from '../../calls/types.ts';
import { Subject } from '../changes.ts';
import type { MessageRecord } from './message-record.ts';
import type { Messages, RecordChange } from './messages.ts';
import type { Narrow } from './narrow.ts';

/** How many messages of a narrow there are. */
export interface HitCount {
  /** A lower bound if it is not complete. */
  readonly count: number;
  readonly isComplete: boolean;
}

export interface SearchFetcher {
  readonly count: (narrow: Narrow) => Promise<HitCount>;
  /** The ids of the most relevant messages, best first. */
  readonly relevant: (narrow: Narrow) => Promise<readonly number[]>;
  /** These messages, with the matches of the narrow. */
  readonly matches: (ids: readonly number[], narrow: Narrow) => Promise<readonly Message[]>;
}

/**
 * The most relevant messages of a search, best first, as of one moment. Later messages do not join them, because only the server
 * can rank them. Messages leave that are deleted, moved out of reach, or in a channel that the user loses.
 */
export class RelevantHits {
  readonly narrow: Narrow;
  readonly changes = new Subject();
  state: 'loading' | 'ready' | 'failed' = 'loading';
  ids: readonly number[] = [];
  readonly #messages: Messages;
  readonly #fetcher: SearchFetcher;
  readonly #onDrop: (hits: RelevantHits) => void;
  #isDropped = false;

  constructor(narrow: Narrow, messages: Messages, fetcher: SearchFetcher, onDrop: (hits: RelevantHits) => void) {
    this.narrow = narrow;
    this.#messages = messages;
    this.#fetcher = fetcher;
    this.#onDrop = onDrop;
  }

  /** What is known stays until the response. */
  async load(): Promise<void> {
    if (this.state === 'failed') this.state = 'loading';
    this.changes.changed();
    try {
      const order = await this.#fetcher.relevant(this.narrow);
      const fetch = () => (order.length === 0 ? Promise.resolve([]) : this.#fetcher.matches(order, this.narrow));
      await this.#messages.fetching(fetch, (records) => this.#enter(order, records));
      this.state = 'ready';
    } catch {
      this.state = 'failed';
    }
    this.changes.changed();
  }

  #enter(order: readonly number[], records: readonly MessageRecord[]): void {
    if (this.#isDropped) return;
    this.#messages.hold(records);
    this.#messages.release(this.ids);
    const found = new Set(records.map(({ id }) => id));
    this.ids = order.filter((id) => found.has(id));
  }

  /** Messages changed. Deleted ones have no record after the change. */
  change(changes: readonly RecordChange[]): void {
    const gone = new Set(changes.flatMap(({ before, after }) => (after === undefined ? before.id : [])));
    this.#remove((id) => gone.has(id));
  }

  remove(isGone: (record: MessageRecord) => boolean): void {
    this.#remove((id) => {
      const record = this.#messages.get(id);
      return record !== undefined && isGone(record);
    });
  }

  #remove(isGone: (id: number) => boolean): void {
    const gone = this.ids.filter(isGone);
    if (gone.length === 0) return;
    this.ids = this.ids.filter((id) => !gone.includes(id));
    this.#messages.release(gone);
    this.changes.changed();
  }

  /** They are not shown any more. */
  drop(): void {
    this.#isDropped = true;
    this.#messages.release(this.ids);
    this.ids = [];
    this.#onDrop(this);
  }
}
