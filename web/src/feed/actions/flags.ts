import { updateMessageFlags, updateMessageFlagsForNarrow } from '@heddle/client/calls/operations.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type Narrow, narrowOfPlace, wireNarrow } from '@heddle/client/model/messages/narrow.ts';
import type { App } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { setCollapsed } from '../../content/collapsing.ts';
import { problemText } from '../../shown/problem-text.ts';

/** Adds or removes the star: at once here, and taken back if the server refuses it. */
export async function toggleStar({ model, connection }: App, { id, isStarred }: MessageRecord): Promise<void> {
  const op = isStarred ? 'remove' : 'add';
  model.applyFlag('starred', op, [id]);
  try {
    await updateMessageFlags(connection, { messages: [id], op, flag: 'starred' }, { retries: 2 });
  } catch (error) {
    model.applyFlag('starred', isStarred ? 'add' : 'remove', [id]);
    const text = t('The star was not changed. {problem}', { problem: problemText(error) });
    toasts.show({ text, kind: 'error', key: 'star' });
  }
}

export async function toggleCollapsed(app: App, { id, isCollapsed }: MessageRecord): Promise<void> {
  try {
    await setCollapsed(app, id, !isCollapsed);
  } catch (error) {
    const text = t('The message was not collapsed. {problem}', { problem: problemText(error) });
    toasts.show({ text, kind: 'error', key: 'collapse' });
  }
}

/** How many messages one request marks. The server allows 5,000. */
const BATCH_SIZE_MESSAGES = 5_000;

/**
 * Marks a message and all later ones of the open view as unread. Looking at them does not mark them as read until the
 * view is opened again.
 */
export async function markUnreadFrom(app: App, messageId: number): Promise<void> {
  const { model, connection } = app;
  const narrow = narrowOfView(app, messageId);
  const later = model.cache.windows.of(narrow).ids.filter((id) => id >= messageId);
  const ids = later.includes(messageId) ? later : [messageId, ...later];
  for (const id of ids) model.cache.keptUnread.add(id);
  try {
    // Marks as read that are on their way would come after this.
    await model.cache.marks.flush();
    const known = ids.filter((id) => model.cache.messages.get(id)?.isRead === true);
    model.applyFlag('read', 'remove', known);
    for (let anchor = messageId; ; ) {
      const answer = await updateMessageFlagsForNarrow(connection, {
        narrow: wireNarrow(narrow),
        anchor,
        include_anchor: anchor === messageId,
        num_before: 0,
        num_after: BATCH_SIZE_MESSAGES,
        op: 'remove',
        flag: 'read',
      });
      if (answer.found_newest || answer.last_processed_id === null) return;
      anchor = answer.last_processed_id;
    }
  } catch (error) {
    const text = t('Not everything could be marked as unread. {problem}', { problem: problemText(error) });
    toasts.show({ text, kind: 'error', key: 'mark unread' });
  }
}

/** What the open view shows, or the conversation of the message. */
function narrowOfView({ model, navigation }: App, messageId: number): Narrow {
  const { route } = navigation;
  if (route.view === 'narrow') return route.narrow;
  if (route.view === 'feed') return [{ operator: 'is', operand: 'muted', negated: true }];
  const record = model.cache.messages.get(messageId);
  return record === undefined ? [{ operator: 'id', operand: messageId }] : narrowOfPlace(record.place, model.ownId);
}
