import { type Narrow, narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import type { UnreadGroup } from '@heddle/client/model/messages/unread.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { loadedCode } from '../base/load-code.ts';
import { toasts } from '../base/toasts.ts';
import { channelName, placeName } from '../shown/names.ts';
import type { MarkedTogether } from './undo-read.ts';

/** Marks all messages of a conversation as read. */
export function markPlaceAsRead(app: App, place: Place): void {
  const group = app.model.unread.of(place);
  const text = t('Marked as read: {name}', { name: placeName(app.model, place) });
  mark(app, group === undefined ? [] : [group], narrowOfPlace(place, app.model.ownId), text);
}

/** Marks all messages of a channel as read. */
export function markChannelAsRead(app: App, channelId: number): void {
  const groups = [...app.model.unread.groupsOfChannel(channelId)];
  const text = t('Marked as read: {name}', { name: `#${channelName(app.model, channelId)}` });
  mark(app, groups, [{ operator: 'channel', operand: channelId }], text);
}

/** Marks all direct messages as read. */
export function markDirectAsRead(app: App): void {
  const groups = [...app.model.unread.groups()].filter(({ place }) => place.kind === 'direct');
  mark(app, groups, [{ operator: 'is', operand: 'dm' }], t('All direct messages are marked as read.'));
}

/** Marks all messages of the user as read. */
export function markEverythingAsRead(app: App): void {
  mark(app, [...app.model.unread.groups()], [], t('Everything is marked as read.'));
}

/** Marks messages as read, and offers to undo it. */
function mark(app: App, groups: readonly UnreadGroup[], narrow: Narrow, text: string): void {
  // The groups change with the marks.
  const known = groups.map(({ place, ids, mentions }) => ({ place, ids: new Set(ids), mentions: new Set(mentions) }));
  markGroups(app, known);
  const marked = { known, ...markOlder(app, narrow) };
  if (known.length === 0 && !app.model.unread.oldOnesMissing) return;
  const undo = async () => {
    const { markUnreadAgain } = await loadedCode(() => import('./undo-read.ts'));
    await markUnreadAgain(app, marked);
  };
  toasts.show({ text, action: { label: t('Undo'), run: () => void undo() } });
}

function markGroups({ model }: App, groups: readonly UnreadGroup[]): void {
  const messages = groups.flatMap(({ ids }) => [...ids].map((id) => ({ id, isRead: false })));
  for (const { id } of messages) model.cache.keptUnread.delete(id);
  model.cache.marks.mark(messages);
}

/** The server names only the newest unread messages. If there are more, it marks the others itself, in batches. */
function markOlder({ model, connection }: App, narrow: Narrow): Pick<MarkedTogether, 'older' | 'stop'> {
  let isStopped = !model.unread.oldOnesMissing;
  const run = async () => {
    const ids: number[] = [];
    if (isStopped) return ids;
    try {
      const { markInBatches } = await loadedCode(() => import('./mark-batches.ts'));
      for await (const batch of markInBatches(connection, narrow, 'oldest')) {
        for (const id of batch) ids.push(id);
        if (isStopped) break;
      }
    } catch {
      toasts.show({ text: t('Not everything could be marked as read. Try again.'), kind: 'error', key: 'mark read' });
    }
    return ids;
  };
  const stop = () => {
    isStopped = true;
  };
  return { older: run(), stop };
}
