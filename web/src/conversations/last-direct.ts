import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import { type DirectPlace, keyOf } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { lastText } from './last-text.ts';

const DIRECT: Narrow = [{ operator: 'is', operand: 'dm' }];

/** How far back the last message of a conversation is sought, in direct messages of all conversations. */
const MAX_SOUGHT_MESSAGES = 500;

/** The most pages that this takes. */
const MAX_PAGES = 8;

/** The newest direct messages of all conversations. */
export function directWindow({ cache }: Model): MessageWindow {
  return cache.windows.of(DIRECT);
}

/** The last message of a direct conversation, if it is loaded. */
export function lastDirect(model: Model, { ids, foundNewest }: MessageWindow, place: DirectPlace) {
  if (!foundNewest) return undefined;
  const key = keyOf(place);
  for (let index = ids.length - 1; index >= 0; index -= 1) {
    const record = model.cache.messages.get(ids[index] ?? 0);
    if (record !== undefined && keyOf(record.place) === key) return record;
  }
  return undefined;
}

/** The windows whose newest messages are on their way. */
const opening = new WeakSet<MessageWindow>();

/** Loads the newest direct messages. If the conversation is not among them, loads older ones. Resolves after at most one request. */
export async function seekLastDirect(model: Model, window: MessageWindow, place: DirectPlace): Promise<void> {
  if (opening.has(window) || window.state === 'loading' || window.state === 'failed') return;
  if (!window.foundNewest) {
    opening.add(window);
    await window.open('newest');
    opening.delete(window);
    // Those who wait for older messages look again.
    window.changes.changed();
  } else if (lastDirect(model, window, place) === undefined && window.ids.length < MAX_SOUGHT_MESSAGES) {
    await window.loadOlder();
  }
}

/** The last message of a direct conversation as one line. Undefined if it is not among the newest direct messages. */
export async function lastDirectText(model: Model, place: DirectPlace): Promise<string | undefined> {
  const window = directWindow(model);
  for (let page = 0; page < MAX_PAGES && lastDirect(model, window, place) === undefined; page += 1) {
    await seekLastDirect(model, window, place);
  }
  const record = lastDirect(model, window, place);
  return record && lastText(model, lastOf(record));
}

export function lastOf({ senderId, content, isMe }: MessageRecord) {
  return { senderId, html: content, isMe };
}
