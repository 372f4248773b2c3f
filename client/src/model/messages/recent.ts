import type { EventOfType } from '../../calls/types.ts';
import { KeyedSubject, Subject } from '../changes.ts';
import type { Page, PageFetcher } from './message-pages.ts';
import type { MessageRecord } from './message-record.ts';
import type { MessageChange, Messages } from './messages.ts';
import { narrowOfPlace } from './narrow.ts';
import { keyOf, type Place } from './places.ts';

/** A conversation with its newest messages. */
export interface RecentConversation {
  readonly place: Place;
  readonly maxId: number;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** The ids of those who wrote, newest first. */
  readonly senderIds: readonly number[];
  /** The newest message. */
  readonly last: LastMessage;
}

export interface LastMessage {
  readonly senderId: number;
  /** The beginning of its HTML, which must be sanitized. Undefined if it is not known any more: a newer message was deleted, for example. */
  readonly html: string | undefined;
  /** The text describes an action of its sender (`/me`). */
  readonly isMe: boolean;
}

/** How much is kept of the HTML of a message: more than one line shows. */
const MAX_HTML_CHARACTERS = 600;

/** Of how many messages the HTML is kept, beside the newest one of each conversation. */
const MAX_KEPT_TEXTS = 2_000;

/** How many messages the first request and each further one read. */
const FIRST_PAGE_SIZE_MESSAGES = 400;
const PAGE_SIZE_MESSAGES = 1_000;

/** What is kept of each message: enough to regroup after a move or a deletion. */
interface Brief {
  readonly id: number;
  readonly timestamp: number;
  readonly senderId: number;
  place: Place;
  isMe: boolean;
}

/**
 * Recent conversations, computed from the newest messages of all. Invariant: the conversations follow from `#briefs`. These are all messages
 * that the user received since the oldest one, and the newest messages of older conversations that somebody sought.
 */
export class Recent {
  readonly #ownId: number;
  readonly #messages: Messages;
  readonly #fetcher: Pick<PageFetcher, 'page'>;
  readonly #briefs = new Map<number, Brief>();
  /** The beginning of the HTML of the messages that came last, by id. */
  readonly #texts = new Map<number, string>();
  readonly #byPlace = new Map<string, Set<number>>();
  readonly #entries = new Map<string, RecentConversation>();
  #sorted: readonly RecentConversation[] | undefined;
  #oldest = Number.POSITIVE_INFINITY;
  state: 'unknown' | 'loading' | 'ready' | 'failed' = 'unknown';
  isStale = false;
  /** Whether all messages of the user are known. */
  isComplete = false;
  readonly changes = new Subject();
  /** Changes of one conversation, by the key of its place. */
  readonly changesOf = new KeyedSubject<string>();
  /** The conversations that are sought now. */
  readonly #sought = new Set<string>();
  #loading: Promise<void> | undefined;

  constructor(ownId: number, messages: Messages, fetcher: Pick<PageFetcher, 'page'>) {
    this.#ownId = ownId;
    this.#messages = messages;
    this.#fetcher = fetcher;
  }

  /** Newest first. It has no gap: older conversations that were sought are not here. */
  list(): readonly RecentConversation[] {
    this.#sorted ??= [...this.#entries.values()]
      .filter(({ maxId }) => maxId >= this.#oldest)
      .sort((a, b) => b.maxId - a.maxId);
    return this.#sorted;
  }

  of(place: Place): RecentConversation | undefined {
    return this.#entries.get(keyOf(place));
  }

  /** Loads the newest messages, unless they are known. */
  async load(): Promise<void> {
    if (this.state === 'loading') return this.#loading;
    if (this.state === 'ready' && !this.isStale) return;
    this.#loading = this.#fetch('newest', FIRST_PAGE_SIZE_MESSAGES, true);
    await this.#loading;
  }

  /** Finds the newest message of a conversation, also if it is older than the newest of all. That takes at most one more request. */
  async seek(place: Place): Promise<void> {
    const key = keyOf(place);
    await this.load();
    if (this.state !== 'ready' || this.isComplete || this.#entries.has(key) || this.#sought.has(key)) return;
    this.#sought.add(key);
    try {
      const narrow = narrowOfPlace(place, this.#ownId);
      const query = { narrow, anchor: 'newest', before: 1, after: 0, includeAnchor: true } as const;
      await this.#messages.fetching(
        async () => (await this.#fetcher.page(query)).messages,
        (records) => this.#enterAll(records),
      );
    } catch {
      // Who needs it shows the conversation without it.
    } finally {
      this.#sought.delete(key);
    }
  }

  /** Goes further back. */
  async loadMore(): Promise<void> {
    if (this.state !== 'ready' || this.isComplete) return;
    this.#loading = this.#fetch(this.#oldest, PAGE_SIZE_MESSAGES, false);
    await this.#loading;
  }

  async #fetch(anchor: 'newest' | number, before: number, isFirst: boolean): Promise<void> {
    this.state = 'loading';
    this.changes.changed();
    const known = new Set(this.#briefs.keys());
    try {
      let page: Page | undefined;
      await this.#messages.fetching(
        async () => {
          page = await this.#fetcher.page({ narrow: [], anchor, before, after: 0, includeAnchor: isFirst });
          return page.messages;
        },
        (records) => {
          // They can have been edited or deleted while the client missed events.
          if (isFirst) this.#forget(known);
          this.#enterAll(records);
          this.#oldest = Math.min(this.#oldest, records[0]?.id ?? Number.POSITIVE_INFINITY);
          this.isComplete = page?.foundOldest ?? false;
          if (isFirst) this.isStale = false;
        },
      );
      this.state = 'ready';
    } catch {
      this.state = 'failed';
    }
    this.#sorted = undefined;
    this.changes.changed();
  }

  receive(record: MessageRecord): void {
    if (this.state === 'unknown') return;
    this.#enter(record);
    this.#oldest = Math.min(this.#oldest, record.id);
    this.changes.changed();
  }

  apply(event: MessageChange): void {
    if (this.state === 'unknown') return;
    if (event.type === 'update_message') {
      this.#edit(event);
      this.#move(event);
    }
    if (event.type === 'delete_message') {
      this.#remove('message_ids' in event ? event.message_ids : [event.message_id]);
    }
  }

  loseChannels(channelIds: ReadonlySet<number>): void {
    const gone = [...this.#briefs.values()].filter(
      ({ place }) => place.kind === 'topic' && channelIds.has(place.channelId),
    );
    this.#remove(gone.map(({ id }) => id));
  }

  /** The client may have missed events. */
  expire(): void {
    this.isStale = true;
    if ((this.changes.isObserved || this.changesOf.isObserved) && this.state !== 'unknown') void this.load();
  }

  #edit({ message_id, rendered_content, is_me_message }: EventOfType<'update_message'>): void {
    const brief = this.#briefs.get(message_id);
    if (brief === undefined || rendered_content === undefined) return;
    this.#keepText(message_id, rendered_content);
    brief.isMe = is_me_message ?? brief.isMe;
    this.#summarize(keyOf(brief.place));
    this.changes.changed();
  }

  #move({ message_ids, new_stream_id, subject }: EventOfType<'update_message'>): void {
    if (new_stream_id === undefined && subject === undefined) return;
    for (const id of message_ids) {
      const brief = this.#briefs.get(id);
      if (brief === undefined || brief.place.kind !== 'topic') continue;
      this.#leave(brief);
      const channelId = new_stream_id ?? brief.place.channelId;
      brief.place = { kind: 'topic', channelId, topic: subject ?? brief.place.topic };
      this.#join(brief);
    }
    this.changes.changed();
  }

  #remove(ids: readonly number[]): void {
    for (const id of ids) {
      const brief = this.#briefs.get(id);
      if (brief === undefined) continue;
      this.#leave(brief);
      this.#briefs.delete(id);
      this.#texts.delete(id);
    }
    this.changes.changed();
  }

  #enter(record: MessageRecord): void {
    const { id } = record;
    const known = this.#briefs.get(id);
    if (known !== undefined) this.#leave(known);
    const brief = briefOf(record);
    this.#briefs.set(id, brief);
    this.#keepText(id, record.content);
    this.#join(brief);
  }

  /** The same for many: each conversation is summarized once. */
  #enterAll(records: readonly MessageRecord[]): void {
    const keys = new Set<string>();
    for (const record of records) {
      const { id, place } = record;
      this.#keepText(id, record.content);
      if (this.#briefs.has(id)) continue;
      const key = keyOf(place);
      this.#briefs.set(id, briefOf(record));
      const ids = this.#byPlace.get(key) ?? new Set();
      this.#byPlace.set(key, ids.add(id));
      keys.add(key);
    }
    for (const key of keys) this.#summarize(key);
  }

  /** Keeps only what arrived after these messages. */
  #forget(ids: ReadonlySet<number>): void {
    const keys = new Set<string>();
    for (const id of ids) {
      const brief = this.#briefs.get(id);
      if (brief === undefined) continue;
      const key = keyOf(brief.place);
      this.#briefs.delete(id);
      this.#byPlace.get(key)?.delete(id);
      keys.add(key);
    }
    for (const key of keys) this.#summarize(key);
    this.#oldest = [...this.#briefs.keys()].reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY);
  }

  #join(brief: Brief): void {
    const key = keyOf(brief.place);
    const ids = this.#byPlace.get(key) ?? new Set();
    ids.add(brief.id);
    this.#byPlace.set(key, ids);
    const known = this.#entries.get(key);
    // A new message at the end of a conversation, the usual case, looks at no other message.
    if (known !== undefined && brief.id > known.maxId) {
      const senderIds = [brief.senderId, ...known.senderIds.filter((id) => id !== brief.senderId)];
      this.#put(key, this.#entryOf(brief, senderIds));
    } else this.#summarize(key);
  }

  #leave({ id, place }: Brief): void {
    const key = keyOf(place);
    const last = this.#entries.get(key);
    if (last?.maxId === id && last.last.html !== undefined) this.#keepText(id, last.last.html);
    this.#byPlace.get(key)?.delete(id);
    this.#summarize(key);
  }

  #summarize(key: string): void {
    const ids = this.#byPlace.get(key);
    if (ids === undefined || ids.size === 0) {
      this.#byPlace.delete(key);
      this.#put(key, undefined);
      return;
    }
    const briefs = [...ids].sort((a, b) => b - a).flatMap((id) => this.#briefs.get(id) ?? []);
    const [newest] = briefs;
    if (newest === undefined) return;
    const senderIds = [...new Set(briefs.map(({ senderId }) => senderId))];
    this.#put(key, this.#entryOf(newest, senderIds));
  }

  #put(key: string, entry: RecentConversation | undefined): void {
    if (entry === undefined) this.#entries.delete(key);
    else this.#entries.set(key, entry);
    this.#sorted = undefined;
    this.changesOf.changed(key);
  }

  #entryOf({ place, id, timestamp, senderId, isMe }: Brief, senderIds: readonly number[]): RecentConversation {
    const before = this.#entries.get(keyOf(place));
    const html = this.#texts.get(id) ?? (before?.maxId === id ? before.last.html : undefined);
    return { place, maxId: id, timestamp, senderIds, last: { senderId, html, isMe } };
  }

  #keepText(id: number, html: string): void {
    this.#texts.delete(id);
    this.#texts.set(id, html.slice(0, MAX_HTML_CHARACTERS));
    const [first] = this.#texts.keys();
    if (first !== undefined && this.#texts.size > MAX_KEPT_TEXTS) this.#texts.delete(first);
  }
}

function briefOf({ id, timestamp, senderId, place, isMe }: MessageRecord): Brief {
  return { id, timestamp, senderId, place, isMe };
}
