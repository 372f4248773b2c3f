import { updateMessageFlags } from '@heddle/client/calls/operations.ts';
import type { App } from '../base/app.tsx';

/** How many messages one request marks as unread. */
const IDS_PER_REQUEST = 1_000;

/** Takes back that messages count as read. They stay unread until the next visit. */
export async function unreadAgain({ model, connection }: App, ids: readonly number[]): Promise<void> {
  const { marks, keptUnread, messages } = model.cache;
  for (const id of ids) keptUnread.add(id);
  // The marks that are on their way would come after this.
  await marks.flush();
  const known = ids.filter((id) => messages.get(id)?.isRead === true);
  model.applyFlag('read', 'remove', known);
  for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) {
    const batch = ids.slice(start, start + IDS_PER_REQUEST);
    await updateMessageFlags(connection, { messages: batch, op: 'remove', flag: 'read' }, { retries: 2 });
  }
}
