import { ApiError } from '../calls/errors.ts';
import type { Message } from '../calls/types.ts';
import { Subject } from './changes.ts';
import type { MessageRecord } from './message-record.ts';
import type { Messages, RecordChange } from './messages.ts';
import type { Narrow } from './narrow.ts';
import type { LocalMatch } from './narrow-match.ts';

/** Whether another attempt at the same request would be refused again. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 429;
}

/** How many messages a request before or after a known one returns. */
const PAGE = 100;

/** How many messages a window opens with, before and after its anchor. The first ones fill a screen. */
const FIRST_PAGE = 50;

/** The most messages of a window. Those at the other end of what the user looks at are dropped. */
const MAX_MESSAGES = 2_000;

/** The most messages that a window adds one by one. If more may have entered it, it loads again. */
const MAX_SINGLE = 200;

export type Anchor = number | 'newest' | 'oldest' | 'first_unread';

export interface PageQuery {
  readonly narrow: Narrow;
  readonly anchor: Anchor;
  readonly before: number;
  readonly after: number;
  readonly includeAnchor: boolean;
}

export interface Page {
  readonly messages: readonly Message[];
  /** The id that the anchor stood for. It exceeds all ids if there was no such message. */
  readonly anchor: number;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

export interface PageFetcher {
  readonly page: (query: PageQuery) => Promise<Page>;
  readonly byIds: (ids: readonly number[]) => Promise<readonly Message[]>;
  readonly matching: (ids: readonly number[], narrow: Narrow) => Promise<readonly number[]>;
}

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
  #isStale = false;
  /** Grows with each request that replaces the range. A response of an older one is dropped. */
  #generation = 0;
  #openRequests = 0;
  /** Messages that arrived since the oldest open request began. Its response may lack them. */
  #arrived: MessageRecord[] = [];

  /** @param isLive whether events announce each message of the narrow now */
  constructor(
    narrow: Narrow,
    messages: Messages,
    fetcher: PageFetcher,
    localMatch: LocalMatch | undefined,
    isLive: () => boolean,
  ) {
    this.narrow = narrow;
    this.#messages = messages;
    this.#fetcher = fetcher;
    this.localMatch = localMatch;
    this.#isLive = isLive;
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
    const index = this.#indexFor(id);
    return this.ids[index] === id;
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

  /** Loads the range around an anchor, unless the window has it already. */
  async open(anchor: Anchor): Promise<void> {
    if (!this.#isStale && this.isLive && this.state === 'ready' && this.#covers(anchor)) return;
    const generation = this.#begin();
    const query = { narrow: this.narrow, anchor, before: FIRST_PAGE, after: FIRST_PAGE, includeAnchor: true };
    await this.#replace(generation, query, (page) => {
      this.openedAt = page.messages.some(({ id }) => id === page.anchor) ? page.anchor : undefined;
    });
  }

  /** Loads the same range again, because the window may lack messages. */
  async refresh(): Promise<void> {
    const { ids } = this;
    const generation = this.#begin();
    const size = Math.min(Math.max(ids.length, FIRST_PAGE), MAX_MESSAGES);
    const middle = ids[Math.floor(ids.length / 2)];
    const query =
      this.foundNewest || middle === undefined
        ? { narrow: this.narrow, anchor: 'newest' as const, before: size, after: 0, includeAnchor: true }
        : { narrow: this.narrow, anchor: middle, before: size >> 1, after: size >> 1, includeAnchor: true };
    await this.#replace(generation, query);
  }

  /** The window may lack messages, or have some that left the narrow. */
  invalidate(): void {
    if (this.state === 'empty') return;
    this.#isStale = true;
    if (this.isObserved) void this.refresh();
  }

  /** Call this when someone begins to look at the window. */
  refreshIfStale(): void {
    if (this.#isStale && this.state !== 'loading') void this.refresh();
  }

  async loadOlder(): Promise<void> {
    const first = this.ids[0];
    if (this.state !== 'ready' || this.foundOldest || this.isLoadingOlder || first === undefined) return;
    this.isLoadingOlder = true;
    await this.#extend({ narrow: this.narrow, anchor: first, before: PAGE, after: 0, includeAnchor: false });
    this.isLoadingOlder = false;
    this.changes.changed();
  }

  async loadNewer(): Promise<void> {
    const last = this.ids.at(-1);
    if (this.state !== 'ready' || this.foundNewest || this.isLoadingNewer || last === undefined) return;
    this.isLoadingNewer = true;
    await this.#extend({ narrow: this.narrow, anchor: last, before: 0, after: PAGE, includeAnchor: false });
    this.isLoadingNewer = false;
    this.changes.changed();
  }

  /** A message arrived. */
  receive(record: MessageRecord): void {
    if (this.#openRequests > 0) this.#arrived.push(record);
    if (this.wantsNewer(record.id) && this.#matches(record)) {
      this.#insert([record]);
      this.#trim('oldest');
    }
  }

  /** Messages that the client has changed. */
  change(changes: readonly RecordChange[]): void {
    for (const { before, after } of changes) {
      const isHere = this.has(before.id);
      const belongs = after !== undefined && (this.localMatch === undefined ? isHere : this.#matches(after));
      if (isHere && !belongs) this.remove(({ id }) => id === before.id);
      if (!isHere && belongs && this.spans(before.id)) this.#insert([after]);
      if (isHere && belongs && before.place !== after?.place) this.#reorder();
    }
  }

  /** Messages changed their place. Loads those that the client does not have and that may be in the range now. */
  receiveMoved(ids: readonly number[]): void {
    const missing = ids.filter((id) => this.spans(id) && !this.has(id));
    if (missing.length === 0) return;
    if (missing.length > MAX_SINGLE) this.invalidate();
    else void this.insertFetched(missing).catch(() => this.invalidate());
  }

  /** Loads these messages, and adds those that belong to the range. */
  async insertFetched(ids: readonly number[]): Promise<void> {
    const generation = this.#generation;
    const wanted = this.localMatch === undefined ? await this.#fetcher.matching(ids, this.narrow) : ids;
    if (wanted.length === 0) return;
    await this.#messages.fetching(
      () => this.#fetcher.byIds(wanted),
      (records) => {
        if (generation !== this.#generation) return;
        this.#insert(records.filter((record) => this.spans(record.id) && this.#matches(record)));
      },
    );
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
  }

  /** Releases all messages. Nobody uses the window any more. */
  drop(): void {
    this.#generation += 1;
    this.#messages.release(this.ids);
    this.ids = [];
    this.state = 'empty';
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

  #covers(anchor: Anchor): boolean {
    if (anchor === 'newest') return this.foundNewest;
    if (anchor === 'oldest') return this.foundOldest;
    if (anchor === 'first_unread') return this.foundNewest && this.#firstUnreadIsHere();
    return this.has(anchor) || (this.spans(anchor) && this.ids.length > 0);
  }

  /** Whether the first unread message of the narrow is certainly in the range, or there is none. */
  #firstUnreadIsHere(): boolean {
    const first = this.ids[0];
    if (first === undefined || this.foundOldest) return true;
    return this.#messages.get(first)?.isRead === true;
  }

  #begin(): number {
    this.#generation += 1;
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
        this.#isStale = false;
        entered?.(page);
      });
    } catch (error) {
      if (generation !== this.#generation) return;
      this.error = error;
      if (isRefused(error)) this.#empty();
      if (this.state === 'loading') this.state = 'failed';
      this.changes.changed();
    }
  }

  /** The user may not read the messages any more. */
  #empty(): void {
    this.#messages.release(this.ids);
    this.ids = [];
    this.state = 'failed';
    this.#isStale = false;
  }

  async #extend(query: PageQuery): Promise<void> {
    const isOlder = query.before > 0;
    this.changes.changed();
    try {
      await this.#request(this.#generation, query, (page, records) => {
        this.#insert(records);
        this.#trim(isOlder ? 'newest' : 'oldest');
        if (isOlder) this.foundOldest = page.foundOldest;
        else this.foundNewest = page.foundNewest;
      });
    } catch (error) {
      this.error = error;
    }
  }

  /** Requests a page. `enter` puts it into the range, unless a newer request has replaced the range. */
  async #request(
    generation: number,
    query: PageQuery,
    enter: (page: Page, records: readonly MessageRecord[]) => void,
  ): Promise<void> {
    const arrivedBefore = this.#arrived.length;
    this.#openRequests += 1;
    try {
      let page: Page | undefined;
      await this.#messages.fetching(
        async () => {
          page = await this.#fetcher.page(query);
          return page.messages;
        },
        (records) => {
          if (generation !== this.#generation || page === undefined) return;
          enter(page, records);
          this.#insert(
            this.#arrived.slice(arrivedBefore).filter((one) => this.wantsNewer(one.id) && this.#matches(one)),
          );
          this.changes.changed();
        },
      );
    } finally {
      this.#openRequests -= 1;
      if (this.#openRequests === 0) this.#arrived = [];
    }
  }

  #matches(record: MessageRecord): boolean {
    return this.localMatch?.matches(record) ?? true;
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
    this.#messages.release(gone);
  }

  /** The index of the first id that is not smaller. */
  #indexFor(id: number): number {
    let [low, high] = [0, this.ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ids[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
