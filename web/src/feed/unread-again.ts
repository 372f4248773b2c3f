import type { App } from '../base/app.tsx';
import { restoreUnread } from '../topic-actions/undo-read.ts';

/** Takes back that messages count as read. They stay unread until the next visit. */
export async function unreadAgain(app: App, ids: readonly number[]): Promise<void> {
  const { model } = app;
  const { keptUnread, messages } = model.cache;
  for (const id of ids) keptUnread.add(id);
  model.applyFlag(
    'read',
    'remove',
    ids.filter((id) => messages.get(id)?.isRead === true),
  );
  await restoreUnread(app, ids);
}
