import { merged } from '@heddle/client/model/merged.ts';
import { keyOf, topicKey, topicPlace } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';

import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useModel } from '../../base/app.tsx';
import { withKnownRows } from '../../base/known-rows.ts';
import type { Current } from '../../shown/current.ts';
import { switchesOf } from '../view-switches.ts';
import { type SidebarRow, shownTopics, sidebarRows } from './rows.ts';
import { filterOf } from './sidebar-filter.ts';
import { viewsOf } from './views.ts';

/**
 * The rows of the sidebar. They change if channels, conversations or views come, go or change their order. A new message concerns the rows
 * only if its channel is open, or if it is direct.
 * @param expanded the channels whose topics are shown
 */
export function useSidebarRows(
  current: Current,
  expanded: readonly number[],
  filterText: string,
): readonly SidebarRow[] {
  const model = useModel();
  const openChannels = expanded.join();
  useEffect(() => {
    const ends = idsOf(openChannels).map((id) => model.cache.topics.observe(id));
    return () => {
      for (const end of ends) end();
    };
  }, [model, openChannels]);
  const isFiltered = filterText !== '';
  useEffect(() => {
    // The filter finds topics among recent conversations.
    if (isFiltered) void model.cache.recent.load();
  }, [model, isFiltered]);
  const known = useRef<readonly SidebarRow[]>([]);
  const source = useMemo(() => {
    const open = idsOf(openChannels);
    const ofRows = rowChanges(model, open);
    const changes = filterText === '' ? ofRows : merged(ofRows, model.cache.recent.changes);
    let version: number | undefined;
    return {
      subscribe: changes.subscribe,
      /** Reads the same list as long as no row changes. Then the sidebar does not render. */
      read(): readonly SidebarRow[] {
        const now = changes.read();
        if (version !== now) known.current = withKnownRows(known.current, rowsOf(model, current, open, filterText));
        version = now;
        return known.current;
      },
    };
  }, [model, current, openChannels, filterText]);
  return useSyncExternalStore(source.subscribe, source.read);
}

function rowsOf(model: Model, current: Current, expanded: readonly number[], filterText: string) {
  const sections = switchesOf('sidebar', model.ownId);
  const open = new Set(expanded);
  const withUnread = unreadDirect(model);
  return sidebarRows({
    views: viewsOf(model).flatMap(({ fragment, isPinned }) => (isPinned || filterText !== '' ? fragment : [])),
    direct: model.account.isSpectator ? undefined : model.directConversations.list(),
    lists: model.channelOrder.lists,
    unjoined: unjoinedOf(model, current.channelId),
    hasOtherChannels: hasOtherChannels(model),
    isOpen: (section, otherwise) => sections.isOn(section, otherwise),
    isExpanded: (id) => open.has(id),
    topicsOf: (id) => ({ ...topicsOf(model, id, current), isLoading: model.cache.topics.stateOf(id) !== 'ready' }),
    hasUnread: (key) => withUnread.has(key),
    currentKey: current.key,
    filter: filterText === '' ? undefined : filterOf(model, filterText),
  });
}

function idsOf(list: string): number[] {
  return list === '' ? [] : list.split(',').map(Number);
}

function rowChanges(model: Model, expanded: readonly number[]) {
  const { channelOrder, directConversations, navigationViews, scheduledMessages, reminders, cache } = model;
  const { unread, topicPolicies } = model;
  const ofChannels = expanded.flatMap((id) => [
    cache.topics.changesOf.of(id),
    unread.changesOf.of(`c${id}`),
    topicPolicies.changesOf.of(id),
  ]);
  const used = [navigationViews.changes, scheduledMessages.changes, reminders.changes];
  const sections = switchesOf('sidebar', model.ownId);
  return merged(channelOrder.changes, directConversations.changes, sections.changes, ...used, ...ofChannels);
}

/** The open channel, if the user can read it and it is not in the list. */
function unjoinedOf({ channels, channelOrder, permissions }: Model, channelId: number | undefined): number | undefined {
  if (channelId === undefined) return undefined;
  const channel = channels.get(channelId);
  if (channel === undefined || permissions.channels.contentAccess(channel) === 'none') return undefined;
  const isListed = channelOrder.lists.sections.some((section) =>
    [section.active, section.muted, section.inactive].some((ids) => ids.includes(channelId)),
  );
  return isListed ? undefined : channelId;
}

/** Whether the user can browse channels that are not in the sidebar. Guests often see none. */
function hasOtherChannels({ account, channels }: Model): boolean {
  if (account.isSpectator) return false;
  return channels.all.values().some(({ isSubscribed, isArchived }) => !isSubscribed && !isArchived);
}

/** The keys of direct conversations with unread messages. */
function unreadDirect(model: Model): ReadonlySet<string> {
  const keys = new Set<string>();
  if (model.unread.directCount === 0) return keys;
  for (const { place } of model.unread.groups()) if (place.kind === 'direct') keys.add(keyOf(place));
  return keys;
}

function topicsOf(model: Model, channelId: number, { place }: Current) {
  const here = place?.kind === 'topic' && place.channelId === channelId ? topicKey(place.topic) : undefined;
  const isChannelMuted = model.channels.get(channelId)?.settings?.isMuted ?? false;
  return shownTopics(model.cache.topics.of(channelId), {
    // In a muted channel all topics are muted. Their list is still what the user opened.
    isMuted: (topic) => !isChannelMuted && model.isTopicMuted(channelId, topic),
    unread: (topic) => model.unread.of(topicPlace(channelId, topic))?.ids.size ?? 0,
    isCurrent: (topic) => topicKey(topic) === here,
  });
}
