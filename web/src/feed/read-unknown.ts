import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { App } from '../base/app.tsx';
import { markInBatches } from '../topic-actions/mark-batches.ts';

/**
 * Marks the unread messages as read that the client does not know, through a message. Calls `onRead` with their ids.
 * @returns whether all are marked
 */
export async function readUnknown(
  { model, connection }: App,
  shown: Narrow,
  newestId: number,
  onRead: (ids: readonly number[]) => void,
): Promise<boolean> {
  const { marks, keptUnread } = model.cache;
  try {
    // The server would also name what the user has just seen.
    await marks.flush();
    for await (const ids of markInBatches(connection, shown, newestId)) {
      onRead(ids);
      // The user has marked messages as unread meanwhile, which could be among the next ones.
      if (keptUnread.size > 0) return false;
    }
    return true;
  } catch {
    return false;
  }
}
