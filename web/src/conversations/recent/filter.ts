import type { RecentConversation } from '@heddle/client/model/messages/recent.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { placeName } from '../../shown/names.ts';

/** What the user can filter by. Conversations must meet all that are chosen. `muted` also shows muted ones. */
export const RECENT_FILTERS = ['unread', 'participated', 'followed', 'direct', 'muted'] as const;
export type RecentFilter = (typeof RECENT_FILTERS)[number];

export type SortColumn = 'conversation' | 'unread' | 'time';

export interface RecentQuery {
  readonly filters: ReadonlySet<RecentFilter>;
  readonly text: string;
  readonly sort: SortColumn;
  readonly isAscending: boolean;
}

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * The conversations that the query shows, in its order.
 * @param conversations newest first
 */
export function recentConversations(
  model: Model,
  conversations: readonly RecentConversation[],
  { filters, text, sort, isAscending }: RecentQuery,
): readonly RecentConversation[] {
  const matches = text === '' ? undefined : matcherOf(text);
  const shown = conversations.filter(
    (one) => meets(model, one, filters) && (matches?.(placeName(model, one.place)) ?? true),
  );
  if (sort === 'time') return isAscending ? shown.reverse() : shown;
  const sorted = sort === 'unread' ? byUnread(model, shown) : alphabetically(model, shown);
  return isAscending ? sorted : sorted.reverse();
}

function meets(model: Model, { place, senderIds }: RecentConversation, filters: ReadonlySet<RecentFilter>): boolean {
  if (filters.has('direct') && place.kind !== 'direct') return false;
  if (filters.has('unread') && model.unread.of(place) === undefined) return false;
  if (filters.has('participated') && !senderIds.includes(model.ownId)) return false;
  if (place.kind === 'direct') return !filters.has('followed');
  const { channelId, topic } = place;
  if (filters.has('followed') && !model.topicPolicies.isFollowed(channelId, topic)) return false;
  return filters.has('muted') || !model.isTopicMuted(channelId, topic);
}

function byUnread(model: Model, conversations: readonly RecentConversation[]): RecentConversation[] {
  return conversations
    .map((one) => ({ one, count: model.unread.of(one.place)?.ids.size ?? 0 }))
    .sort((a, b) => a.count - b.count || a.one.maxId - b.one.maxId)
    .map(({ one }) => one);
}

function alphabetically(model: Model, conversations: readonly RecentConversation[]): RecentConversation[] {
  return conversations
    .map((one) => ({ one, name: placeName(model, one.place) }))
    .sort((a, b) => byName.compare(a.name, b.name))
    .map(({ one }) => one);
}
