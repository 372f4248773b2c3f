import type { MessageWindow } from '@heddle/client/model/messages/message-window.ts';
import { unreadIdsOf, type WholeView } from '@heddle/client/model/messages/whole-view.ts';
import type { App } from '../base/app.tsx';
import { loadedCode } from '../base/load-code.ts';

/**
 * The end of a conversation means that it is read. Marks everything in the view through a message, also what the user has skipped.
 * Returns the ids of that, in ascending order.
 */
export function readThrough(app: App, view: WholeView, window: MessageWindow, newestId: number): readonly number[] {
  const { model } = app;
  const { marks, messages, keptUnread } = model.cache;
  const loaded = window.ids.filter((id) => messages.get(id)?.isRead === false);
  const known = unreadIdsOf(view, model.unread, (channelId, topic) => model.isTopicMuted(channelId, topic));
  const unread = [...new Set([...loaded, ...known])].sort((a, b) => a - b);
  const ids = unread.filter((id) => id <= newestId && !keptUnread.has(id));
  marks.mark(ids.map((id) => ({ id, isRead: false })));
  // What the user has marked as unread could be among the messages that only the server knows.
  if (model.unread.oldOnesMissing && keptUnread.size === 0) {
    void loadedCode(() => import('./read-unknown.ts')).then(({ readUnknown }) =>
      readUnknown(app, window.narrow, newestId),
    );
  }
  return ids;
}
