import type { EventOfType } from '../../calls/types.ts';
import { Subject } from '../changes.ts';
import type { Page, PageFetcher } from './message-pages.ts';
import type { MessageRecord } from './message-record.ts';
import type { MessageChange, Messages } from './messages.ts';
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
 * Recent conversations, computed from the newest messages of all. Invariant: the conversations follow from `#briefs`,
 * which are all messages that the user received since the oldest of them.
 */
export class Recent {
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

  constructor(messages: Messages, fetcher: Pick<PageFetcher, 'page'>) {
    this.#messages = messages;
    this.#fetcher = fetcher;
  }

  /** Newest first. */
  list(): readonly RecentConversation[] {
    this.#sorted ??= [...this.#entries.values()].sort((a, b) => b.maxId - a.maxId);
    return this.#sorted;
  }

  of(place: Place): RecentConversation | undefined {
    return this.#entries.get(keyOf(place));
  }

  /** Loads the newest messages, unless they are known. */
  async load(): Promise<void> {
    if (this.state === 'loading' || (this.state === 'ready' && !this.isStale)) return;
    await this.#fetch('newest', FIRST_PAGE_SIZE_MESSAGES, true);
  }

  /** Goes further back. */
  async loadMore(): Promise<void> {
    if (this.state !== 'ready' || this.isComplete) return;
    await this.#fetch(this.#oldest, PAGE_SIZE_MESSAGES, false);
  }

  async #fetch(anchor: 'newest' | number, before: number, isFirst: boolean): Promise<void> {
    this.state = 'loading';
    this.changes.changed();
    try {
      let page: Page | undefined;
      await this.#messages.fetching(
        async () => {
          page = await this.#fetcher.page({ narrow: [], anchor, before, after: 0, includeAnchor: isFirst });
          return page.messages;
        },
        (records) => {
          if (isFirst) this.#forgetBefore(records[0]?.id ?? 0);
          this.#enterAll(records);
          this.isComplete = page?.foundOldest ?? false;
          this.isStale = false;
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
    this.#sorted = undefined;
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
    if (this.changes.isObserved && this.state !== 'unknown') void this.load();
  }

  #edit({ message_id, rendered_content, is_me_message }: EventOfType<'update_message'>): void {
    const brief = this.#briefs.get(message_id);
    if (brief === undefined || rendered_content === undefined) return;
    this.#keepText(message_id, rendered_content);
    brief.isMe = is_me_message ?? brief.isMe;
    this.#summarize(keyOf(brief.place));
    this.#sorted = undefined;
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
    this.#sorted = undefined;
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
    this.#sorted = undefined;
    this.changes.changed();
  }

  #enter(record: MessageRecord): void {
    const { id } = record;
    const known = this.#briefs.get(id);
    if (known !== undefined) this.#leave(known);
    const brief = briefOf(record);
    this.#briefs.set(id, brief);
    this.#keepText(id, record.content);
    this.#oldest = Math.min(this.#oldest, id);
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
      this.#oldest = Math.min(this.#oldest, id);
      const ids = this.#byPlace.get(key) ?? new Set();
      this.#byPlace.set(key, ids.add(id));
      keys.add(key);
    }
    for (const key of keys) this.#summarize(key);
  }

  #forgetBefore(oldest: number): void {
    this.#remove([...this.#briefs.keys()].filter((id) => id < oldest));
    this.#oldest = oldest === 0 ? Number.POSITIVE_INFINITY : oldest;
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
      this.#entries.set(key, this.#entryOf(brief, senderIds));
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
      this.#entries.delete(key);
      return;
    }
    const briefs = [...ids].sort((a, b) => b - a).flatMap((id) => this.#briefs.get(id) ?? []);
    const [newest] = briefs;
    if (newest === undefined) return;
    const senderIds = [...new Set(briefs.map(({ senderId }) => senderId))];
    this.#entries.set(key, this.#entryOf(newest, senderIds));
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
