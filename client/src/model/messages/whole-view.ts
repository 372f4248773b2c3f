import { conditionsOf, type Narrow, placeOfNarrow } from './narrow.ts';
import { isSamePlace, type Place } from './places.ts';
import type { Unread, UnreadGroup } from './unread.ts';

/**
 * A view that shows whole conversations: each message of one conversation or of several. Only such views mark messages as read. All others
 * show fragments, for example a search or the starred messages.
 */
export type WholeView =
  | { readonly kind: 'conversation'; readonly place: Place }
  | { readonly kind: 'channel'; readonly channelId: number }
  /** All direct messages. All topics that are not muted, with the direct messages. Everything. */
  | { readonly kind: 'direct' | 'unmuted' | 'all' };

/** @returns undefined for fragments */
export function wholeViewOf(narrow: Narrow, ownId: number): WholeView | undefined {
  const place = placeOfNarrow(narrow, ownId);
  if (place !== undefined) return { kind: 'conversation', place };
  const [term, ...others] = conditionsOf(narrow);
  // The conversation of a message whose place is not known yet.
  if (others.length > 0 || narrow.some(({ operator }) => operator === 'with')) return undefined;
  if (term === undefined) return { kind: 'all' };
  const { operator, operand, negated = false } = term;
  if (operator === 'is' && operand === 'muted') return negated ? { kind: 'unmuted' } : undefined;
  if (negated) return undefined;
  if (operator === 'channel' && typeof operand === 'number') return { kind: 'channel', channelId: operand };
  if (operator === 'is' && operand === 'dm') return { kind: 'direct' };
  if (operator === 'in' && operand === 'home') return { kind: 'unmuted' };
  return operator === 'in' && operand === 'all' ? { kind: 'all' } : undefined;
}

type IsTopicMuted = (channelId: number, topic: string) => boolean;

/** Whether the view shows the messages of a conversation. */
export function showsPlace(view: WholeView, place: Place, isTopicMuted: IsTopicMuted): boolean {
  switch (view.kind) {
    case 'conversation':
      return isSamePlace(view.place, place);
    case 'channel':
      return place.kind === 'topic' && place.channelId === view.channelId;
    case 'direct':
      return place.kind === 'direct';
    case 'unmuted':
      return place.kind === 'direct' || !isTopicMuted(place.channelId, place.topic);
    case 'all':
      return true;
  }
}

/** The unread messages of the view, also those that are not loaded. */
export function unreadIdsOf(view: WholeView, unread: Unread, isTopicMuted: IsTopicMuted): readonly number[] {
  return [...groupsNear(view, unread)]
    .filter(({ place }) => showsPlace(view, place, isTopicMuted))
    .flatMap(({ ids }) => [...ids]);
}

/** Only views of many conversations need all groups. */
function groupsNear(view: WholeView, unread: Unread): Iterable<UnreadGroup> {
  if (view.kind === 'channel') return unread.groupsOfChannel(view.channelId);
  if (view.kind !== 'conversation') return unread.groups();
  const group = unread.of(view.place);
  return group === undefined ? [] : [group];
}
