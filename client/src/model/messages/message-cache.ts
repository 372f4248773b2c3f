import type { Caller } from '../../calls/operation.ts';
import type { EventOfType } from '../../calls/types.ts';
import { ReadMarks } from './marks.ts';
import type { PageFetcher } from './message-pages.ts';
import { type MessageRecord, recordOf } from './message-record.ts';
import { type MessageChange, Messages } from './messages.ts';
import { canonicalNarrow, conditionsOf, type Narrow } from './narrow.ts';
import type { MatchContext } from './narrow-match.ts';
import { Outbox, type OutgoingMessage } from './outbox.ts';
import { PinnedMessages } from './pinned-messages.ts';
import { type Place, placeOf } from './places.ts';
import { Recent } from './recent.ts';
import { type HitCount, RelevantHits, type SearchFetcher } from './relevant-hits.ts';
import {
  attemptToSend,
  findSent,
  pageFetcher,
  pinFetcher,
  searchFetcher,
  sendRead,
  topicFetcher,
} from './server-calls.ts';
import { Topics } from './topics.ts';
import { Windows } from './windows.ts';

/** What the cache needs from the session and the directory. */
export interface CacheOptions {
  readonly ownId: number;
  readonly connection: Caller;
  /** Whether the client has no account. */
  readonly isSpectator: boolean;
  readonly context: MatchContext;
  /** The queue whose events repeat the local ids of sent messages. */
  readonly queueId: () => string | undefined;
  /** Resolves when another attempt makes sense after a failure. */
  readonly untilRetry: (attempt: number) => Promise<void>;
  /** Undefined: the default of what waits. */
  readonly pauseAfterEvent: (() => Promise<void>) | undefined;
  /** The id of the newest message that has arrived. */
  readonly newestId: () => number;
  readonly saveOutbox: (messages: readonly OutgoingMessage[]) => void;
  readonly saveMarks: (ids: readonly number[]) => void;
  /** Applies read marks to the counts, as if their event had arrived. */
  readonly applyRead: (ids: readonly number[]) => void;
}

/**
 * What the client has loaded of messages, and what it has not sent yet. It stays when the client registers again. Then
 * everything in it is loaded again while someone looks at it.
 */
export class MessageCache {
  readonly messages: Messages;
  readonly windows: Windows;
  readonly recent: Recent;
  readonly topics: Topics;
  readonly pinned: PinnedMessages;
  readonly outbox: Outbox;
  readonly marks: ReadMarks;
  /** Messages that the user has marked as unread. Looking at them does not mark them as read until the next visit. */
  readonly keptUnread = new Set<number>();
  readonly #ownId: number;
  readonly #fetcher: PageFetcher;
  readonly #search: SearchFetcher;
  /** The lists that are shown. */
  readonly #relevantHits = new Set<RelevantHits>();

  constructor(options: CacheOptions) {
    const { ownId, connection, isSpectator, context, queueId, newestId, untilRetry } = options;
    const { saveOutbox, saveMarks, applyRead } = options;
    const fetcher = pageFetcher(connection, { isSpectator, untilRetry });
    this.#ownId = ownId;
    this.#fetcher = fetcher;
    this.#search = searchFetcher(connection, isSpectator);
    this.messages = new Messages(ownId, newestId, (id) => this.marks.isWaiting(id));
    this.windows = new Windows(this.messages, context, fetcher);
    this.recent = new Recent(ownId, this.messages, fetcher);
    this.topics = new Topics(topicFetcher(connection));
    this.pinned = new PinnedMessages(pinFetcher(connection), options.pauseAfterEvent);
    this.outbox = new Outbox({
      send: (message) => attemptToSend(connection, message, ownId, queueId()),
      findSent: (message) => findSent(connection, message, ownId),
      untilRetry,
      newestKnownId: () => this.messages.newestKnownId,
      isEventExpected: (place, id) =>
        id > newestId() && (place.kind === 'direct' || context.isSubscribed(place.channelId)),
      sentWithoutEvent: (place) => this.windows.sentWithoutEvent(place),
      save: saveOutbox,
    });
    this.marks = new ReadMarks({
      applyRead,
      sendRead: (ids) => sendRead(connection, ids),
      untilRetry,
      save: saveMarks,
    });
  }

  /** A message arrived. Returns its record. */
  receive({ message, flags, local_message_id: localId }: EventOfType<'message'>): MessageRecord {
    const record = recordOf(message, this.#ownId, flags);
    this.windows.receive(record);
    this.topics.receive(record);
    this.recent.receive(record);
    if (record.senderId === this.#ownId) this.outbox.arrived(localId, record.id);
    return record;
  }

  apply(event: MessageChange): void {
    const unknown = event.type === 'update_message' ? this.messages.unknownOf(event) : [];
    const changes = this.messages.apply(event);
    this.windows.change(changes, event, unknown);
    for (const hits of this.#relevantHits) hits.change(changes);
    this.recent.apply(event);
    if (event.type === 'update_message') this.topics.applyUpdate(event);
    if (event.type === 'delete_message') this.topics.applyDelete(event);
    if (event.type !== 'update_message_flags') return;
    this.windows.flagsChanged(event);
    // The user did it on another device, perhaps. An open view must not take it back.
    if (event.flag === 'read' && event.op === 'remove') for (const id of event.messages) this.keptUnread.add(id);
  }

  loseChannels(channelIds: ReadonlySet<number>): void {
    this.windows.loseChannels(channelIds);
    for (const hits of this.#relevantHits) {
      hits.remove(({ place }) => place.kind === 'topic' && channelIds.has(place.channelId));
    }
    this.recent.loseChannels(channelIds);
    for (const id of channelIds) this.pinned.lose(id);
  }

  /**
   * Perhaps the user can read other messages of a channel than before, of those from before the subscription.
   * @param isHidden whether they cannot be read now
   */
  historyChanged(channelId: number, isHidden: boolean): void {
    const isLost = ({ place, isHistorical }: MessageRecord) =>
      isHidden && isHistorical && place.kind === 'topic' && place.channelId === channelId;
    this.windows.historyChanged(channelId, isLost);
    for (const hits of this.#relevantHits) {
      hits.remove(isLost);
      void hits.load();
    }
    this.recent.expire();
    this.topics.expire(channelId);
    this.pinned.expireLater(channelId);
  }

  /** The most relevant messages of a search. Call `load`, and `drop` when they are not shown any more. */
  relevantHits(narrow: Narrow): RelevantHits {
    const wanted = conditionsOf(canonicalNarrow(narrow, this.#ownId));
    const hits = new RelevantHits(wanted, this.messages, this.#search, (one) => this.#relevantHits.delete(one));
    this.#relevantHits.add(hits);
    return hits;
  }

  /**
   * How many messages the narrow has, up to a limit.
   * @throws NetworkError and other errors of a call
   */
  countHits(narrow: Narrow): Promise<HitCount> {
    return this.#search.count(conditionsOf(canonicalNarrow(narrow, this.#ownId)));
  }

  /**
   * The newest messages of a narrow, for a look. They are not kept.
   * @throws NetworkError and other errors of a call
   */
  async newestMatches(narrow: Narrow, count: number): Promise<readonly MessageRecord[]> {
    const wanted = canonicalNarrow(narrow, this.#ownId);
    const query = { narrow: wanted, anchor: 'newest', before: count, after: 0, includeAnchor: true } as const;
    const { messages } = await this.#fetcher.page(query);
    return messages.map((message) => recordOf(message, this.#ownId));
  }

  /**
   * Where a message is now. Undefined if the user cannot read it.
   * @throws NetworkError and other errors of a call
   */
  async findPlace(id: number): Promise<Place | undefined> {
    const known = this.messages.get(id);
    if (known !== undefined) return known.place;
    const [message] = await this.#fetcher.byIds([id]);
    return message === undefined ? undefined : placeOf(message, this.#ownId);
  }

  /**
   * The first message of the narrow since a time, or else the newest one. Undefined if there is no message.
   * @throws NetworkError and other errors of a call
   */
  async firstSince(narrow: Narrow, time: Date): Promise<number | undefined> {
    const wanted = conditionsOf(canonicalNarrow(narrow, this.#ownId));
    const since = time.toISOString();
    const query = { narrow: wanted, anchor: 'newest' as const, since, before: 1, after: 0, includeAnchor: true };
    return (await this.#fetcher.page(query)).messages.at(-1)?.id;
  }

  /** The client registered again, and may have missed events. */
  renewed(): void {
    this.windows.invalidateAll();
    for (const hits of this.#relevantHits) void hits.load();
    this.recent.expire();
    this.topics.expireAll();
    this.pinned.expireAll();
    this.outbox.reloaded();
  }
}
