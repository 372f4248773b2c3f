import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { ExtraChanges } from '@heddle/client/session/store.ts';

/** The entry of the store. */
const ENTRY = 'windows';

/** How many windows are stored, and how many of their newest messages. */
const MAX_WINDOWS = 8;
const MAX_MESSAGES = 100;

interface StoredWindow {
  readonly narrow: Narrow;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  readonly records: readonly MessageRecord[];
}

/** Stores the windows that the user used last, so that a reload shows them at once. */
export class WindowStore {
  /** The ranges at the last call, to see what has changed. */
  #last = new Map<MessageWindow, readonly number[]>();
  #version = 0;

  /** What to store, or nothing if it has not changed. */
  changes(model: Model | undefined): ExtraChanges {
    if (model === undefined) return new Map();
    const windows = [...model.cache.windows.loaded()]
      .filter(({ state, isStale, localMatch }) => state === 'ready' && !isStale && localMatch !== undefined)
      .slice(-MAX_WINDOWS);
    const version = model.cache.messages.changes.read();
    const isSame =
      version === this.#version &&
      windows.length === this.#last.size &&
      windows.every((window) => this.#last.get(window) === window.ids);
    if (isSame) return new Map();
    this.#version = version;
    this.#last = new Map(windows.map((window) => [window, window.ids]));
    return new Map([[ENTRY, windows.map((window) => storedWindow(model, window))]]);
  }
}

function storedWindow(model: Model, window: MessageWindow): StoredWindow {
  const ids = window.ids.slice(-MAX_MESSAGES);
  return {
    narrow: window.narrow,
    foundOldest: window.foundOldest && ids.length === window.ids.length,
    foundNewest: window.foundNewest,
    records: ids.flatMap((id) => recordToStore(model, id) ?? []),
  };
}

/** The stored state counts a message as unread until the server knows that the user has read it. So its stored record does, too. */
function recordToStore({ cache }: Model, id: number): MessageRecord | undefined {
  const record = cache.messages.get(id);
  return record !== undefined && cache.marks.isWaiting(id) ? { ...record, isRead: false } : record;
}

/** Fills the windows with what an earlier page has stored. The entry belongs to the position after the stored events. */
export function restoreWindows(model: Model, extra: ReadonlyMap<string, unknown>): void {
  const stored = extra.get(ENTRY);
  if (!Array.isArray(stored)) return;
  for (const { narrow, records, foundOldest, foundNewest } of stored as readonly StoredWindow[]) {
    model.cache.windows.of(narrow).restore(records, { oldest: foundOldest, newest: foundNewest });
  }
}
