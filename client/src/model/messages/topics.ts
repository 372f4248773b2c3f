import type { EventOfType } from '../../calls/types.ts';
import { KeyedSubject } from '../changes.ts';
import type { MessageRecord } from './message-record.ts';
import { topicKey } from './places.ts';

/** A topic of a channel, as its list shows it. */
export interface TopicEntry {
  readonly topic: string;
  /** The id of its newest message. */
  readonly maxId: number;
}

export type TopicFetcher = (
  channelId: number,
) => Promise<readonly { readonly name: string; readonly max_id: number }[]>;

type State = 'loading' | 'ready' | 'failed';

interface TopicList {
  state: State;
  isStale: boolean;
  entries: Map<string, TopicEntry>;
  /** Sorted when it is read, if it changed since. */
  sorted: readonly TopicEntry[] | undefined;
  /** Messages that arrived since the request began, which its response may lack. */
  arrived: TopicEntry[];
}

/**
 * The topics of channels, newest first. A list is loaded when someone looks at it. New messages keep it current. After
 * moves and deletions, only the server knows the newest message of a topic, so the list is loaded again.
 */
export class Topics {
  readonly #fetch: TopicFetcher;
  readonly #lists = new Map<number, TopicList>();
  /** Changes of the list of a channel, by its id. */
  readonly changesOf = new KeyedSubject<number>();
  readonly #observed = new Map<number, number>();

  constructor(fetch: TopicFetcher) {
    this.#fetch = fetch;
  }

  /** The topics that are known, newest first. Empty until the list is loaded. */
  of(channelId: number): readonly TopicEntry[] {
    const list = this.#lists.get(channelId);
    if (list === undefined) return [];
    list.sorted ??= [...list.entries.values()].sort((a, b) => b.maxId - a.maxId);
    return list.sorted;
  }

  stateOf(channelId: number): State | 'unknown' {
    return this.#lists.get(channelId)?.state ?? 'unknown';
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

  async load(channelId: number): Promise<void> {
    const known = this.#lists.get(channelId);
    if (known?.state === 'loading' || (known?.state === 'ready' && !known.isStale)) return;
    const list: TopicList = known ?? {
      state: 'loading',
      isStale: false,
      entries: new Map(),
      sorted: undefined,
      arrived: [],
    };
    this.#lists.set(channelId, list);
    Object.assign(list, { state: 'loading', isStale: false, arrived: [] });
    this.changesOf.changed(channelId);
    try {
      const topics = await this.#fetch(channelId);
      list.entries = new Map(topics.map(({ name, max_id }) => [topicKey(name), { topic: name, maxId: max_id }]));
      for (const entry of list.arrived) enter(list, entry);
      list.state = 'ready';
    } catch {
      list.state = 'failed';
    }
    list.arrived = [];
    list.sorted = undefined;
    this.changesOf.changed(channelId);
    this.#refresh(channelId);
  }

  receive({ id, place }: MessageRecord): void {
    if (place.kind !== 'topic') return;
    const list = this.#lists.get(place.channelId);
    if (list === undefined) return;
    const entry = { topic: place.topic, maxId: id };
    if (list.state === 'loading') list.arrived.push(entry);
    enter(list, entry);
    this.changesOf.changed(place.channelId);
  }

  applyUpdate(event: EventOfType<'update_message'>): void {
    if (event.new_stream_id === undefined && event.subject === undefined) return;
    for (const channelId of new Set([event.stream_id, event.new_stream_id])) {
      if (channelId !== undefined) this.expire(channelId);
    }
  }

  applyDelete(event: EventOfType<'delete_message'>): void {
    if (event.message_type !== 'stream') return;
    const entry = this.#lists.get(event.stream_id)?.entries.get(topicKey(event.topic));
    const ids = 'message_ids' in event ? event.message_ids : [event.message_id];
    if (entry === undefined || ids.includes(entry.maxId)) this.expire(event.stream_id);
  }

  /** The client may have missed events, or gained or lost access. */
  expireAll(): void {
    for (const channelId of this.#lists.keys()) this.expire(channelId);
  }

  /** The list may have other topics on the server. */
  expire(channelId: number): void {
    const list = this.#lists.get(channelId);
    if (list === undefined) return;
    list.isStale = true;
    this.#refresh(channelId);
  }

  #refresh(channelId: number): void {
    const list = this.#lists.get(channelId);
    if (list?.isStale && list.state !== 'loading' && this.#observed.has(channelId)) void this.load(channelId);
  }
}

function enter(list: TopicList, entry: TopicEntry): void {
  const key = topicKey(entry.topic);
  const known = list.entries.get(key);
  if (known !== undefined && known.maxId >= entry.maxId) return;
  list.entries.set(key, entry);
  list.sorted = undefined;
}
