import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import type { UnreadGroup } from '@heddle/client/model/messages/unread.ts';
import type { Model } from '@heddle/client/model/model.ts';

/** The channels of the sidebar from top to bottom, also the muted ones. */
export function channelsInOrder({ channelOrder }: Model): readonly number[] {
  return channelOrder.lists.sections.flatMap(({ active, muted, inactive }) => [...active, ...muted, ...inactive]);
}

function newestOf({ ids }: UnreadGroup): number {
  let newest = 0;
  for (const id of ids) newest = Math.max(newest, id);
  return newest;
}

/**
 * The next topic with unread messages: first in the current channel, then in the channels below it, then from the top again.
 * Undefined if there is none but the current one.
 */
export function nextUnreadTopic(model: Model, current: Place | undefined, onlyFollowed = false): Place | undefined {
  const channels = channelsInOrder(model);
  const here = current?.kind === 'topic' ? channels.indexOf(current.channelId) : -1;
  const from = Math.max(0, here);
  const currentKey = current === undefined ? undefined : keyOf(current);
  for (const channelId of [...channels.slice(from), ...channels.slice(0, from)]) {
    const groups = [...model.unread.groupsOfChannel(channelId)].filter(({ place }) => {
      if (place.kind !== 'topic' || keyOf(place) === currentKey) return false;
      if (onlyFollowed) return model.topicPolicies.isFollowed(channelId, place.topic);
      return !model.isTopicMuted(channelId, place.topic);
    });
    const [next] = groups.sort((a, b) => newestOf(b) - newestOf(a));
    if (next !== undefined) return next.place;
  }
  return undefined;
}

/**
 * The unread conversation after or before the current one. Direct conversations are first, the newest before others. Then come the topics of the
 * channels in the order of the sidebar. It begins again at the other end. Undefined if there is none but the current one.
 */
export function neighbourUnread(model: Model, current: Place | undefined, step: 1 | -1): Place | undefined {
  const places = unreadInOrder(model);
  const currentKey = current === undefined ? undefined : keyOf(current);
  const here = places.findIndex((place) => keyOf(place) === currentKey);
  if (here >= 0) {
    const next = places.at((here + step) % places.length);
    return next === undefined || keyOf(next) === currentKey ? undefined : next;
  }
  // The current conversation is read. Its channel says where it is.
  const channels = channelsInOrder(model);
  const rank = (place: Place) => (place.kind === 'direct' ? -1 : channels.indexOf(place.channelId));
  const own = current === undefined ? Number.NEGATIVE_INFINITY : rank(current);
  if (step === 1) return places.find((place) => rank(place) >= own) ?? places[0];
  return current === undefined ? places.at(-1) : (places.findLast((place) => rank(place) <= own) ?? places.at(-1));
}

function unreadInOrder(model: Model): readonly Place[] {
  const newestFirst = (groups: readonly UnreadGroup[]) =>
    groups
      .map((group) => ({ place: group.place, newest: newestOf(group) }))
      .sort((a, b) => b.newest - a.newest)
      .map(({ place }) => place);
  const direct = [...model.unread.groups()].filter(({ place }) => place.kind === 'direct');
  const ofChannel = (channelId: number) =>
    [...model.unread.groupsOfChannel(channelId)].filter(
      ({ place }) => place.kind === 'topic' && !model.isTopicMuted(channelId, place.topic),
    );
  return [...newestFirst(direct), ...channelsInOrder(model).flatMap((id) => newestFirst(ofChannel(id)))];
}

/** The next direct conversation with unread messages below the current one, or the newest one. */
export function nextUnreadDirect(model: Model, current: Place | undefined): Place | undefined {
  const unread = [...model.unread.groups()].filter(({ place }) => place.kind === 'direct');
  const sorted = unread
    .map((group) => ({ place: group.place, newest: newestOf(group) }))
    .sort((a, b) => b.newest - a.newest);
  const currentKey = current === undefined ? undefined : keyOf(current);
  const here = sorted.findIndex(({ place }) => keyOf(place) === currentKey);
  const others = [...sorted.slice(here + 1), ...sorted.slice(0, Math.max(0, here))];
  return others[0]?.place;
}

/** The channel above or below the current one in the sidebar. Muted channels are left out. */
export function neighbourChannel(
  { channelOrder }: Model,
  current: number | undefined,
  step: 1 | -1,
): number | undefined {
  const channels = channelOrder.lists.sections.flatMap(({ active, inactive }) => [...active, ...inactive]);
  if (channels.length === 0) return undefined;
  const here = current === undefined ? -1 : channels.indexOf(current);
  if (here < 0) return step === 1 ? channels[0] : channels.at(-1);
  return channels.at((here + step) % channels.length);
}
