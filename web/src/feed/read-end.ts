/** The end of a conversation means that it is read: also what the user has skipped. */
import { updateMessageFlags, updateMessageFlagsForNarrow } from '@heddle/client/calls/operations.ts';
import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import { wireNarrow } from '@heddle/client/model/messages/narrow.ts';
import { unreadIdsOf, type WholeView } from '@heddle/client/model/messages/whole-view.ts';
import type { App } from '../base/app.tsx';

/** How many messages one request marks by a narrow. The server allows 5,000. */
const MESSAGES_PER_REQUEST = 5_000;

/** The most requests for messages that the client does not know. */
const MAX_REQUESTS = 20;

/** How many messages one request marks as unread. */
const IDS_PER_REQUEST = 1_000;

/** Marks everything in the view as read, through a message. Returns the ids of what the user has not seen, in ascending order. */
export function readThrough(
  { model, connection }: App,
  view: WholeView,
  window: MessageWindow,
  newestId: number,
): readonly number[] {
  const { marks, messages, keptUnread } = model.cache;
  const isTopicMuted = (channelId: number, topic: string) => model.isTopicMuted(channelId, topic);
  const loaded = window.ids.filter((id) => messages.get(id)?.isRead === false);
  const unread = new Set([...loaded, ...unreadIdsOf(view, model.unread, isTopicMuted)]);
  const ids = [...unread].filter((id) => id <= newestId && !keptUnread.has(id)).sort((a, b) => a - b);
  marks.mark(ids.map((id) => ({ id, isRead: false })));
  // Those that the user has marked as unread could be among the messages that only the server knows.
  if (model.unread.oldOnesMissing && keptUnread.size === 0) void readUnknown(connection, window, newestId);
  return ids;
}

/** The server names only the newest unread messages. If there are more, it marks the others itself, in batches. */
async function readUnknown(connection: App['connection'], window: MessageWindow, newestId: number): Promise<void> {
  const narrow = wireNarrow([...window.narrow, { operator: 'is', operand: 'unread' }]);
  const common = { narrow, op: 'add', flag: 'read', num_before: MESSAGES_PER_REQUEST, num_after: 0 } as const;
  try {
    let anchor = newestId;
    for (let request = 0; request < MAX_REQUESTS; request += 1) {
      const answer = await updateMessageFlagsForNarrow(connection, { ...common, anchor });
      if (answer.found_oldest || answer.first_processed_id === null) return;
      anchor = answer.first_processed_id;
    }
  } catch {
    // The next time at the end tries again.
  }
}

/** Takes back that messages count as read. They stay unread until the next visit. */
export async function unreadAgain({ model, connection }: App, ids: readonly number[]): Promise<void> {
  const { marks, keptUnread, messages } = model.cache;
  for (const id of ids) keptUnread.add(id);
  // The marks that are on their way would come after this.
  await marks.flush();
  model.applyFlag(
    'read',
    'remove',
    ids.filter((id) => messages.get(id)?.isRead === true),
  );
  for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) {
    const batch = ids.slice(start, start + IDS_PER_REQUEST);
    await updateMessageFlags(connection, { messages: batch, op: 'remove', flag: 'read' }, { retries: 2 });
  }
}
