import { updateMessageFlagsForNarrow } from '@heddle/client/calls/operations.ts';
import { type Narrow, narrowOfPlace, wireNarrow } from '@heddle/client/model/messages/narrow.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import type { UnreadGroup } from '@heddle/client/model/messages/unread.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';

/** How many messages one request reads. The server allows 5,000. */
const BATCH_SIZE_MESSAGES = 5_000;

/** Marks all messages of a conversation as read. */
export function markPlaceAsRead(app: App, place: Place): void {
  const group = app.model.unread.of(place);
  if (group !== undefined) markGroups(app, [group]);
  void markOlder(app, narrowOfPlace(place, app.model.ownId));
}

/** Marks all messages of a channel as read. */
export function markChannelAsRead(app: App, channelId: number): void {
  markGroups(app, [...app.model.unread.groupsOfChannel(channelId)]);
  void markOlder(app, [{ operator: 'channel', operand: channelId }]);
}

/** Marks all direct messages as read. */
export function markDirectAsRead(app: App): void {
  markGroups(
    app,
    [...app.model.unread.groups()].filter(({ place }) => place.kind === 'direct'),
  );
  void markOlder(app, [{ operator: 'is', operand: 'dm' }]);
}

/** Marks all messages of the user as read. */
export function markEverythingAsRead(app: App): void {
  markGroups(app, [...app.model.unread.groups()]);
  void markOlder(app, []);
}

function markGroups({ model }: App, groups: readonly UnreadGroup[]): void {
  const messages = groups.flatMap(({ ids }) => [...ids].map((id) => ({ id, isRead: false })));
  for (const { id } of messages) model.cache.keptUnread.delete(id);
  model.cache.marks.mark(messages);
}

/** The server names only the newest unread messages. If there are more, it marks the others itself, in batches. */
async function markOlder({ model, connection }: App, narrow: Narrow): Promise<void> {
  if (!model.unread.oldOnesMissing) return;
  const unread = wireNarrow([...narrow, { operator: 'is', operand: 'unread' }]);
  const common = { narrow: unread, op: 'add', flag: 'read', num_before: 0, num_after: BATCH_SIZE_MESSAGES } as const;
  try {
    for (let anchor: number | 'oldest' = 'oldest'; ; ) {
      const include = { include_anchor: anchor === 'oldest' };
      const answer = await updateMessageFlagsForNarrow(connection, { ...common, ...include, anchor });
      if (answer.found_newest || answer.last_processed_id === null) return;
      anchor = answer.last_processed_id;
    }
  } catch {
    toasts.show({ text: t('Not everything could be marked as read. Try again.'), kind: 'error', key: 'mark read' });
  }
}
