import type { EventOfType } from '../../calls/types.ts';
import type { PageFetcher } from './message-pages.ts';
import type { MessageRecord } from './message-record.ts';
import { MessageWindow } from './message-window.ts';
import type { MessageChange, Messages, RecordChange } from './messages.ts';
import { canonicalNarrow, channelOfNarrow, keyOfNarrow, type Narrow, placeOfNarrow } from './narrow.ts';
import { canEnterByFlag, type MatchContext } from './narrow-match.ts';
import { type Place, topicKey } from './places.ts';

/** How many windows stay loaded. Opening another one drops the one that was opened longest ago. */
const MAX_WINDOWS = 30;

/** The windows that are loaded, by narrow. Each equals the server's messages of its narrow (see `MessageWindow`). */
export class Windows {
  readonly #messages: Messages;
  readonly #context: MatchContext;
  readonly #source: PageFetcher;
  /** The order of the entries is the order of use. */
  readonly #windows = new Map<string, MessageWindow>();

  constructor(messages: Messages, context: MatchContext, source: PageFetcher) {
    this.#messages = messages;
    this.#context = context;
    this.#source = source;
  }

  /** The window of a narrow. A new one is empty until it is opened at a position. */
  of(wanted: Narrow): MessageWindow {
    const narrow = canonicalNarrow(wanted, this.#context.ownId);
    const key = keyOfNarrow(narrow);
    const known = this.#windows.get(key);
    const window = known ?? new MessageWindow(narrow, this.#messages, this.#source, this.#context);
    this.#windows.delete(key);
    this.#windows.set(key, window);
    if (known === undefined) this.#dropOldest();
    return window;
  }

  loaded(): Iterable<MessageWindow> {
    return this.#windows.values();
  }

  #dropOldest(): void {
    for (const [key, window] of this.#windows) {
      if (this.#windows.size <= MAX_WINDOWS) return;
      if (window.isObserved) continue;
      window.drop();
      this.#windows.delete(key);
    }
  }

  /** A message arrived. Windows that show the newest messages append it. */
  receive(record: MessageRecord): void {
    for (const window of this.#windows.values()) window.receive(record);
  }

  /**
   * Messages changed, for example their place, a flag or their text.
   * @param unknown ids of moved messages that no window holds
   */
  change(changes: readonly RecordChange[], event: MessageChange, unknown: readonly number[]): void {
    for (const window of this.#windows.values()) {
      window.change(changes);
      if (event.type !== 'update_message') continue;
      const isHere = event.message_ids.some((id) => window.has(id));
      if (!isHere && !mayEnter(window.narrow, event, this.#context.ownId)) continue;
      window.receiveChanged(window.localMatch === undefined ? event.message_ids : unknown);
    }
  }

  /** Topic policies or mutes changed: windows that depend on them load their messages again. */
  topicPoliciesChanged(): void {
    for (const window of this.#windows.values()) {
      if (window.localMatch?.dependsOn.has('topic policies')) window.invalidate();
    }
  }

  /** The user subscribed to channels. Before, no events announced changes of messages there, also of received ones. */
  subscribed(channelIds: ReadonlySet<number>): void {
    for (const window of this.#windows.values()) {
      if (mayReach(window.narrow, channelIds, this.#context.ownId)) window.invalidate();
    }
  }

  /** Perhaps the user can read other messages of the channel than before. Those that are lost leave all windows at once. */
  historyChanged(channelId: number, isLost: (record: MessageRecord) => boolean): void {
    for (const window of this.#windows.values()) window.remove(isLost);
    this.subscribed(new Set([channelId]));
  }

  /** The user sent a message to a channel without being subscribed to it. */
  sentWithoutEvent(place: Place): void {
    if (place.kind !== 'topic') return;
    for (const window of this.#windows.values()) {
      if (!window.isLive && channelOfNarrow(window.narrow) === place.channelId) window.invalidate();
    }
  }

  /** The client may have missed events. All windows load their messages again when someone looks at them. */
  invalidateAll(): void {
    for (const window of this.#windows.values()) window.invalidate();
  }

  /** The client lost access to channels. Their messages leave all windows. */
  loseChannels(channelIds: ReadonlySet<number>): void {
    for (const window of this.#windows.values()) {
      window.remove(({ place }) => place.kind === 'topic' && channelIds.has(place.channelId));
    }
  }

  /** Flags that another client changed: windows of messages with or without these flags may lack some. */
  flagsChanged({ flag, op, messages, all }: EventOfType<'update_message_flags'>): void {
    for (const window of this.#windows.values()) {
      if (!canEnterByFlag(window.narrow, flag, op)) continue;
      if (all) window.invalidate();
      else window.receiveChanged(messages);
    }
  }
}

/** Whether the narrow can contain messages of one of the channels. */
function mayReach(narrow: Narrow, channelIds: ReadonlySet<number>, ownId: number): boolean {
  const channelId = channelOfNarrow(narrow);
  return channelId === undefined ? placeOfNarrow(narrow, ownId)?.kind !== 'direct' : channelIds.has(channelId);
}

/** Whether messages of the event can belong to the narrow because of their new place or text. */
function mayEnter(narrow: Narrow, event: EventOfType<'update_message'>, ownId: number): boolean {
  const isMoved = event.new_stream_id !== undefined || event.subject !== undefined;
  const place = placeOfNarrow(narrow, ownId);
  if (place?.kind === 'direct') return false;
  const channelId = event.new_stream_id ?? event.stream_id;
  const inChannel = channelOfNarrow(narrow);
  if (inChannel !== undefined && inChannel !== channelId) return false;
  if (place !== undefined && event.subject !== undefined) return topicKey(place.topic) === topicKey(event.subject);
  return isMoved || !narrow.every(({ operator }) => operator === 'channel' || operator === 'topic');
}
