import type { EventOfType, PlaceOfPin } from '../../calls/types.ts';
import { pause } from '../../calls/waiting.ts';
import { KeyedSubject } from '../changes.ts';
import { topicKey } from './places.ts';

export interface PinnedEntry {
  readonly messageId: number;
  /** The topic of the message. */
  readonly topic: string;
  readonly place: PlaceOfPin;
  /** Who pinned it. */
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly pinnedAt: number;
}

/** Fetches the pinned messages of a channel and its topics, the last pinned first. */
export type PinFetcher = (channelId: number) => Promise<readonly PinnedEntry[]>;

/** An event reaches all who look at a channel at once. Each of them asks for the new list within this time, in milliseconds. */
const MAX_PAUSE_AFTER_EVENT_MS = 5_000;

interface PinnedList {
  state: 'loading' | 'ready' | 'failed';
  isStale: boolean;
  entries: readonly PinnedEntry[];
  /** Resolves when the request that runs has ended. */
  loading: Promise<void>;
}

/**
 * The pinned messages of channels. A list is loaded when someone looks at the channel. Events only say that it has changed, because
 * readers of a channel differ in which messages they can read. So it is loaded again while someone looks at it.
 */
export class PinnedMessages {
  readonly #fetch: PinFetcher;
  readonly #pauseAfterEvent: () => Promise<void>;
  readonly #lists = new Map<number, PinnedList>();
  readonly #observed = new Map<number, number>();
  /** Changes of the list of a channel, by its id. */
  readonly changesOf = new KeyedSubject<number>();

  constructor(fetch: PinFetcher, pauseAfterEvent = randomPause) {
    this.#fetch = fetch;
    this.#pauseAfterEvent = pauseAfterEvent;
  }

  /** The known pinned messages of a channel, or of a topic with those of its channel. The last pinned is first. */
  of(channelId: number, topic?: string): readonly PinnedEntry[] {
    const key = topic === undefined ? undefined : topicKey(topic);
    return this.all(channelId).filter((one) => one.place === 'channel' || topicKey(one.topic) === key);
  }

  /** The known pinned messages of a channel and all of its topics. */
  all(channelId: number): readonly PinnedEntry[] {
    return this.#lists.get(channelId)?.entries ?? [];
  }

  /** Where the message is pinned, as far as the client knows. */
  placeOf(channelId: number, messageId: number): PlaceOfPin | undefined {
    return this.all(channelId).find((one) => one.messageId === messageId)?.place;
  }

  /** The channels that someone looks at. */
  get observed(): readonly number[] {
    return [...this.#observed.keys()];
  }

  /** Loads the list unless it is current. While an observer is registered, it stays current. */
  observe(channelId: number): () => void {
    this.#observed.set(channelId, (this.#observed.get(channelId) ?? 0) + 1);
    void this.load(channelId);
    return () => {
      const left = (this.#observed.get(channelId) ?? 1) - 1;
      if (left > 0) this.#observed.set(channelId, left);
      else this.#observed.delete(channelId);
    };
  }

  /** Resolves when the list is loaded, or the request has failed. */
  load(channelId: number): Promise<void> {
    const known = this.#lists.get(channelId);
    if (known?.state === 'loading' || (known?.state === 'ready' && !known.isStale)) return known.loading;
    const list: PinnedList = known ?? { state: 'loading', isStale: false, entries: [], loading: Promise.resolve() };
    this.#lists.set(channelId, list);
    Object.assign(list, { state: 'loading', isStale: false });
    list.loading = this.#load(channelId, list);
    return list.loading;
  }

  async #load(channelId: number, list: PinnedList): Promise<void> {
    try {
      list.entries = await this.#fetch(channelId);
      list.state = 'ready';
    } catch {
      list.state = 'failed';
    }
    // The user has lost access meanwhile.
    if (this.#lists.get(channelId) !== list) return;
    this.changesOf.changed(channelId);
    if (list.isStale) await this.#refresh(channelId, list);
  }

  apply({ stream_id }: EventOfType<'pinned_messages'>): void {
    this.expireLater(stream_id);
  }

  /** An event that reaches many users at once says that the list may have changed. It is loaded after a pause. */
  expireLater(channelId: number): void {
    void this.#expireAfterPause(channelId);
  }

  /** The same for all lists. */
  expireAllLater(): void {
    for (const channelId of this.#lists.keys()) this.expireLater(channelId);
  }

  async #expireAfterPause(channelId: number): Promise<void> {
    const list = this.#lists.get(channelId);
    if (list === undefined) return;
    list.isStale = true;
    await this.#pauseAfterEvent();
    // Who needed the list meanwhile has loaded it.
    if (list.isStale) await this.#refresh(channelId, list);
  }

  /** The list may have changed, or what the user can read of it. It is loaded at once if the user looks at it. */
  expire(channelId: number): void {
    const list = this.#lists.get(channelId);
    if (list === undefined) return;
    list.isStale = true;
    void this.#refresh(channelId, list);
  }

  /** The client may have missed events. */
  expireAll(): void {
    for (const channelId of this.#lists.keys()) this.expire(channelId);
  }

  /** The user lost access to the channel. */
  lose(channelId: number): void {
    if (!this.#lists.has(channelId)) return;
    // A request that is on its way has another list.
    this.#lists.set(channelId, { state: 'failed', isStale: true, entries: [], loading: Promise.resolve() });
    this.changesOf.changed(channelId);
  }

  async #refresh(channelId: number, list: PinnedList): Promise<void> {
    const isCurrent = this.#lists.get(channelId) === list && list.state !== 'loading';
    if (isCurrent && this.#observed.has(channelId)) await this.load(channelId);
  }
}

function randomPause(): Promise<void> {
  return pause(Math.random() * MAX_PAUSE_AFTER_EVENT_MS);
}
