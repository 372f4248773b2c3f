import { Subject } from '../changes.ts';
import {
  type Anchor,
  isRefused,
  MAX_MESSAGES,
  type Page,
  type PageFetcher,
  type PageQuery,
  queryAfter,
  queryAround,
  queryBefore,
  queryOfRange,
} from './message-pages.ts';
import type { MessageRecord } from './message-record.ts';
import type { Messages, RecordChange } from './messages.ts';
import { MissedChanges } from './missed-changes.ts';
import type { Narrow } from './narrow.ts';
import {
  isAnnounced,
  keepsRead,
  type LocalMatch,
  localMatchOf,
  type MatchContext,
  partialMatchOf,
} from './narrow-match.ts';
import { indexIn } from './sorted-ids.ts';

/** The most messages that a window adds one by one. If more may have entered it, it loads again. */
const MAX_SINGLY_ADDED_MESSAGES = 200;

export type WindowState = 'empty' | 'loading' | 'ready' | 'failed';

/**
 * A contiguous range of the messages of a narrow. Invariants:
 * - `ids` are ascending, and contain every message of the narrow between the first and the last.
 * - With `foundNewest`, no message of the narrow is newer than the last. With `foundOldest`, none is older than the first.
 * - After all events are applied, a live window equals a response of the server for its range.
 *
 * If an event does not say enough to keep this, the window is stale, and loads its range again while someone looks at it.
 */
export class MessageWindow {
  readonly narrow: Narrow;
  /** Undefined if only the server can decide what belongs to the narrow. */
  readonly localMatch: LocalMatch | undefined;
  readonly changes = new Subject();
  state: WindowState = 'empty';
  /** Why the last request failed. */
  error: unknown;
  ids: readonly number[] = [];
  foundOldest = false;
  foundNewest = false;
  isLoadingOlder = false;
  isLoadingNewer = false;
  /** The message that the window was last opened at: the first unread one, for example. Undefined without one. */
  openedAt: number | undefined;
  readonly #messages: Messages;
  readonly #fetcher: PageFetcher;
  readonly #isLive: () => boolean;
  /** Whether a message may belong to the narrow, as far as the client can decide it. */
  readonly #mayMatch: (record: MessageRecord) => boolean;
  #isStale = false;
  /** Grows with each request that replaces the range. A response of an older one is dropped. */
  #generation = 0;
  /** Whether a request is open that replaces the range. */
  #isReplacing = false;
  /** How many requests for older or newer messages have failed since the last success. */
  #failures = 0;
  readonly #changed = new MissedChanges();
  /**
   * The range does not contain the messages below and above these ids any more. A page that was requested there would
   * leave a gap.
   */
  #bounds = { first: 0, last: Number.POSITIVE_INFINITY };

  constructor(narrow: Narrow, messages: Messages, fetcher: PageFetcher, context: MatchContext) {
    this.narrow = narrow;
    this.#messages = messages;
    this.#fetcher = fetcher;
    this.localMatch = localMatchOf(narrow, context);
    this.#mayMatch = partialMatchOf(narrow, context);
    this.#isLive = () => isAnnounced(narrow, context);
  }

  /** Without events, for example about a channel that the user is not subscribed to, each opening loads the messages again. */
  get isLive(): boolean {
    return this.#isLive();
  }

  get isObserved(): boolean {
    return this.changes.isObserved;
  }

  get isStale(): boolean {
    return this.#isStale;
  }

  has(id: number): boolean {
    return this.ids[indexIn(this.ids, id)] === id;
  }

  /** Whether a message with this id would be in the range, if it belonged to the narrow. */
  spans(id: number): boolean {
    if (this.state !== 'ready') return false;
    const first = this.ids[0];
    const last = this.ids.at(-1);
    if (first === undefined || last === undefined) return this.foundOldest && this.foundNewest;
    return (id >= first || this.foundOldest) && (id <= last || this.foundNewest);
  }

  /** Whether the window would show a message with this id as its newest. */
  wantsNewer(id: number): boolean {
    return this.state === 'ready' && this.foundNewest && id > (this.ids.at(-1) ?? 0);
  }

  /**
   * Loads the range around an anchor, unless the window has it already. Resolves after the first attempt. If that failed for a time, others
   * follow while someone looks at the window.
   */
  async open(anchor: Anchor): Promise<void> {
    if (!this.#isStale && this.isLive && this.covers(anchor)) return;
    const generation = this.#begin();
    await this.#load(anchor, generation);
    void this.#openUntilDone(anchor, generation);
  }

  async #load(anchor: Anchor, generation: number): Promise<void> {
    await this.#replace(generation, queryAround(this.narrow, anchor), (page) => {
      this.openedAt = page.messages.some(({ id }) => id === page.anchor) ? page.anchor : undefined;
    });
  }

  async #openUntilDone(anchor: Anchor, generation: number): Promise<void> {
    const hasFailed = () => generation === this.#generation && this.state === 'failed' && !isRefused(this.error);
    for (let attempt = 1; hasFailed(); attempt++) {
      await this.#fetcher.untilRetry(attempt);
      if (!hasFailed() || !this.isObserved) return;
      // The reason of the failure stays visible meanwhile.
      await this.#load(anchor, generation);
    }
  }

  /** Loads the same range again, because the window may lack messages. */
  async refresh(): Promise<void> {
    const generation = this.#begin();
    await this.#replace(generation, queryOfRange(this));
  }

  /** The window may lack messages, or have some that left the narrow. */
  invalidate(): void {
    if (this.state === 'empty') return;
    this.#isStale = true;
    if (this.isObserved) void this.#refreshUntilDone();
  }

  /** A failure is temporary: the server restarts, for example. */
  async #refreshUntilDone(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const refreshed = this.refresh();
      const generation = this.#generation;
      await refreshed;
      if (!this.#isStale || isRefused(this.error)) return;
      await this.#fetcher.untilRetry(attempt);
      if (!this.isObserved || generation !== this.#generation) return;
    }
  }

  /** Call this when someone begins to look at the window. */
  refreshIfStale(): void {
    if (this.#isStale && !this.#isReplacing) void this.#refreshUntilDone();
  }

  async loadOlder(): Promise<void> {
    const first = this.ids[0];
    if (this.state !== 'ready' || this.foundOldest || this.isLoadingOlder || first === undefined) return;
    this.isLoadingOlder = true;
    await this.#extend(queryBefore(this.narrow, first));
    this.isLoadingOlder = false;
    this.changes.changed();
  }

  async loadNewer(): Promise<void> {
    const last = this.ids.at(-1);
    if (this.state !== 'ready' || this.foundNewest || this.isLoadingNewer || last === undefined) return;
    this.isLoadingNewer = true;
    await this.#extend(queryAfter(this.narrow, last));
    this.isLoadingNewer = false;
    this.changes.changed();
  }

  /** A message arrived. */
  receive(record: MessageRecord): void {
    this.#changed.add([record.id]);
    if (!this.wantsNewer(record.id) || !this.#mayMatch(record)) return;
    if (this.localMatch === undefined) {
      this.#loadMissing([record.id]);
    } else {
      this.#insert([record]);
      this.#trim('oldest');
    }
  }

  /** Messages that the client has changed. */
  change(changes: readonly RecordChange[]): void {
    for (const { before, after } of changes) {
      const isHere = this.has(before.id);
      const belongs = after !== undefined && this.#mayMatch(after) && (isHere || this.localMatch !== undefined);
      if (belongs) this.#changed.add([before.id]);
      if (isHere && !belongs) this.remove(({ id }) => id === before.id);
      if (!isHere && belongs && this.spans(before.id)) this.#insert([after]);
      if (isHere && belongs && before.place !== after?.place) this.#reorder();
    }
  }

  /** Messages changed. Loads those that the client does not have and that may be in the range now. */
  receiveChanged(ids: readonly number[]): void {
    this.#changed.add(ids);
    this.#loadMissing(ids);
    if (this.localMatch === undefined && !keepsRead(this.narrow)) {
      void this.#recheck(ids).catch(() => this.invalidate());
    }
  }

  #loadMissing(ids: readonly number[]): void {
    const missing = ids.filter((id) => this.spans(id) && !this.has(id));
    if (missing.length === 0) return;
    if (missing.length > MAX_SINGLY_ADDED_MESSAGES || !this.isObserved) this.invalidate();
    else void this.#insertFetched(missing).catch(() => this.invalidate());
  }

  /** Loads these messages, and adds those that belong to the range. */
  async #insertFetched(ids: readonly number[]): Promise<void> {
    const generation = this.#generation;
    const wanted = this.localMatch === undefined ? await this.#fetcher.matching(ids, this.narrow) : ids;
    if (wanted.length === 0) return;
    await this.#messages.fetching(
      () => this.#fetcher.byIds(wanted),
      (records) => {
        if (generation !== this.#generation) return;
        this.#insert(records.filter((record) => this.spans(record.id) && this.#mayMatch(record)));
        this.#trim('oldest');
      },
    );
  }

  /** Messages of the range changed, and only the server can decide whether they still belong to the narrow. */
  async #recheck(ids: readonly number[]): Promise<void> {
    const here = ids.filter((id) => this.has(id));
    if (here.length === 0) return;
    if (!this.isObserved) return this.invalidate();
    const left = new Set(await this.#fetcher.matching(here, this.narrow));
    this.remove(({ id }) => here.includes(id) && !left.has(id));
  }

  /** Removes messages from the range. */
  remove(isGone: (record: MessageRecord) => boolean): void {
    const gone = this.ids.filter((id) => {
      const record = this.#messages.get(id);
      return record !== undefined && isGone(record);
    });
    if (gone.length === 0) return;
    const all = new Set(gone);
    this.ids = this.ids.filter((id) => !all.has(id));
    this.#messages.release(gone);
    this.changes.changed();
    // Nothing is left to which older or newer messages could be added.
    if (this.ids.length === 0 && !(this.foundOldest && this.foundNewest)) this.invalidate();
  }

  /** Releases all messages. Nobody uses the window any more. */
  drop(): void {
    this.#generation += 1;
    this.#isReplacing = false;
    this.#messages.release(this.ids);
    this.ids = [];
    this.state = 'empty';
    this.#isStale = false;
  }

  /** Fills the window with what an earlier session saved. */
  restore(records: readonly MessageRecord[], found: { readonly oldest: boolean; readonly newest: boolean }): void {
    this.#messages.hold(records);
    this.ids = records.map(({ id }) => id);
    this.foundOldest = found.oldest;
    this.foundNewest = found.newest;
    this.state = 'ready';
    this.changes.changed();
  }

  /** Whether the range has what a view shows that opens at the anchor. */
  covers(anchor: Anchor): boolean {
    if (this.state !== 'ready') return false;
    if (typeof anchor === 'number') return this.has(anchor) || (this.spans(anchor) && this.ids.length > 0);
    if (anchor === 'oldest') return this.foundOldest;
    if (anchor === 'newest' || !this.foundNewest) return this.foundNewest;
    // Whether the first unread message is certainly in the range, or there is none.
    const first = this.ids[0];
    return first === undefined || this.foundOldest || this.#messages.get(first)?.isRead === true;
  }

  #begin(): number {
    this.#generation += 1;
    this.#isReplacing = true;
    this.error = undefined;
    // What the window shows stays until the response is here.
    if (this.state !== 'ready') this.state = 'loading';
    this.changes.changed();
    return this.#generation;
  }

  async #replace(generation: number, query: PageQuery, entered?: (page: Page) => void): Promise<void> {
    try {
      await this.#request(generation, query, (page, records) => {
        const before = this.ids;
        this.#messages.hold(records);
        this.#messages.release(before);
        this.ids = records.map(({ id }) => id);
        this.foundOldest = page.foundOldest;
        this.foundNewest = page.foundNewest;
        this.state = 'ready';
        this.error = undefined;
        this.#isStale = false;
        this.#bounds = this.#ends();
        entered?.(page);
      });
    } catch (error) {
      if (generation !== this.#generation) return;
      this.error = error;
      // The user may not read the messages any more.
      if (isRefused(error)) this.drop();
      if (isRefused(error) || this.state === 'loading') this.state = 'failed';
      this.changes.changed();
    } finally {
      if (generation === this.#generation) this.#isReplacing = false;
    }
  }

  async #extend(query: PageQuery): Promise<void> {
    const isOlder = query.before > 0;
    this.changes.changed();
    try {
      await this.#request(this.#generation, query, (page, records) => {
        const anchor = Number(query.anchor);
        if (isOlder ? anchor < this.#bounds.first : anchor > this.#bounds.last) return;
        this.#bounds = { ...this.#bounds, ...(isOlder ? { first: 0 } : { last: Number.POSITIVE_INFINITY }) };
        this.#insert(records);
        this.#trim(isOlder ? 'newest' : 'oldest');
        if (isOlder) this.foundOldest = page.foundOldest;
        else this.foundNewest = page.foundNewest;
      });
      this.#failures = 0;
    } catch (error) {
      this.error = error;
      this.#failures += 1;
      // A view that still shows the end of the range asks again when the attempt is over.
      await this.#fetcher.untilRetry(this.#failures);
    }
  }

  /** Requests a page. `enter` puts it into the range, unless a newer request has replaced the range. */
  async #request(
    generation: number,
    query: PageQuery,
    enter: (page: Page, records: readonly MessageRecord[]) => void,
  ): Promise<void> {
    const request = this.#changed.begin();
    try {
      let page: Page | undefined;
      await this.#messages.fetching(
        async () => {
          page = await this.#fetcher.page(query);
          return page.messages;
        },
        (records) => {
          if (generation !== this.#generation || page === undefined) return;
          // Events can have moved messages while the response was on its way.
          enter(page, records.filter(this.#mayMatch));
          this.changes.changed();
          this.#enterMissed(request.missed());
        },
      );
    } finally {
      request.end();
    }
  }

  #enterMissed(ids: readonly number[]): void {
    if (ids.length === 0) return;
    const known = ids.map((id) => this.#messages.get(id)).filter((record) => record !== undefined);
    if (this.localMatch !== undefined) this.#insert(known.filter((one) => this.spans(one.id) && this.#mayMatch(one)));
    this.receiveChanged(ids);
  }

  #insert(records: readonly MessageRecord[]): void {
    const added = records.filter(({ id }) => !this.has(id));
    if (added.length === 0) return;
    this.#messages.hold(added);
    const last = this.ids.at(-1) ?? 0;
    const isAppended = added.every(({ id }) => id > last);
    const ids = [...this.ids, ...added.map(({ id }) => id)];
    this.ids = isAppended && added.length === 1 ? ids : ids.sort((a, b) => a - b);
    this.changes.changed();
  }

  #ends() {
    return { first: this.ids[0] ?? Number.POSITIVE_INFINITY, last: this.ids.at(-1) ?? 0 };
  }

  /** The same messages, but views that group them by place must do it again. */
  #reorder(): void {
    this.ids = [...this.ids];
    this.changes.changed();
  }

  /** Drops messages at one end if there are too many. */
  #trim(end: 'oldest' | 'newest'): void {
    const excess = this.ids.length - MAX_MESSAGES;
    if (excess <= 0) return;
    const gone = end === 'oldest' ? this.ids.slice(0, excess) : this.ids.slice(-excess);
    this.ids = end === 'oldest' ? this.ids.slice(excess) : this.ids.slice(0, -excess);
    if (end === 'oldest') this.foundOldest = false;
    else this.foundNewest = false;
    this.#bounds = this.#ends();
    this.#messages.release(gone);
  }
}
