/** The channels, topics and people that match what the user types, the most relevant first. */
import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import { knownTopics } from '@heddle/client/model/messages/known-topics.ts';
import { isResolved, type Place, type TopicPlace } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { folded } from '@heddle/client/model/people/text-folding.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';

/** How many suggestions a list shows at most. */
const MAX_SUGGESTIONS = 8;
const MAX_OPTIONS = 50;

/** How well a name matches: 0 the whole name, 1 its beginning, 2 the beginning of a word, 3 a part. Undefined: not. */
export function matchOfName(name: string, query: string): number | undefined {
  const text = folded(name);
  if (query === '' || text.startsWith(query)) return text.length === query.length ? 0 : 1;
  const at = text.indexOf(query);
  if (at < 0) return undefined;
  return /[^\p{L}\p{N}](?=.)/u.test(text.charAt(at - 1) + query.charAt(0)) || text.includes(` ${query}`) ? 2 : 3;
}

/** Channels to which the user can write. Subscribed ones come first, then those with recent messages. */
export function channelsMatching(model: Model, text: string, limit = MAX_OPTIONS): readonly ChannelRecord[] {
  const query = folded(text).trim();
  const found: { readonly channel: ChannelRecord; readonly rank: number }[] = [];
  for (const channel of model.channels.all.values()) {
    if (channel.isArchived) continue;
    const match = matchOfName(channel.name, query);
    if (match === undefined) continue;
    const away = (channel.isSubscribed ? 0 : 8) + (channel.settings?.isMuted ? 4 : 0);
    found.push({ channel, rank: match === 0 ? -1 : away + match + (channel.isRecentlyActive ? 0 : 0.5) });
  }
  found.sort((a, b) => a.rank - b.rank || (a.channel.name < b.channel.name ? -1 : 1));
  return found.slice(0, limit).map(({ channel }) => channel);
}

/** The topics of a channel, newest first. Resolved ones come last. */
export function topicsMatching(
  model: Model,
  channelId: number | undefined,
  text: string,
  limit = MAX_SUGGESTIONS,
): readonly string[] {
  if (channelId === undefined) return [];
  const query = folded(text).trim();
  const found = model.cache.topics.of(channelId).flatMap(({ topic }, index) => {
    const match = matchOfName(topic, query);
    return topic === '' || match === undefined ? [] : [{ topic, match, index, isDone: isResolved(topic) }];
  });
  const rank = (match: number): number => (match <= 1 ? 0 : match);
  found.sort((a, b) => Number(a.isDone) - Number(b.isDone) || rank(a.match) - rank(b.match) || a.index - b.index);
  return found.slice(0, limit).map(({ topic }) => topic);
}

/**
 * Topics of all channels, as far as the client knows them. Of equal matches, those of the open channel and the newest ones come first,
 * resolved ones last.
 */
export function topicsByName(
  model: Model,
  open: Place | undefined,
  text: string,
  limit = MAX_SUGGESTIONS,
): readonly TopicPlace[] {
  const query = folded(text).trim();
  const here = open?.kind === 'topic' ? open.channelId : undefined;
  const found = knownTopics(model, here).flatMap((place, index) => {
    const match = matchOfName(place.topic, query);
    if (place.topic === '' || match === undefined) return [];
    return [{ place, match, index, isDone: isResolved(place.topic) }];
  });
  found.sort((a, b) => Number(a.isDone) - Number(b.isDone) || a.match - b.match || a.index - b.index);
  return found.slice(0, limit).map(({ place }) => place);
}

/** People and bots to whom the user can write. Recent correspondents come first. */
export function peopleMatching(model: Model, text: string, limit = MAX_SUGGESTIONS): readonly UserRecord[] {
  const recent = recentCorrespondents(model);
  return model.users.search(text, {
    limit,
    relevance: (id) => recent.get(id) ?? 0,
    accepts: ({ isActive }) => isActive,
  });
}

/** How many conversations are looked at for people to suggest first. */
const MAX_RECENT_CONVERSATIONS = 50;

const correspondents = new WeakMap<readonly object[], ReadonlyMap<number, number>>();

/** People of recent direct conversations. A more recent one has a larger number, below 1. */
export function recentCorrespondents({ directConversations }: Model): ReadonlyMap<number, number> {
  const conversations = directConversations.list();
  const known = correspondents.get(conversations);
  if (known !== undefined) return known;
  const found = new Map<number, number>();
  for (const [index, { place }] of conversations.slice(0, MAX_RECENT_CONVERSATIONS).entries()) {
    for (const id of place.userIds) if (!found.has(id)) found.set(id, 1 - index / MAX_RECENT_CONVERSATIONS);
  }
  correspondents.set(conversations, found);
  return found;
}
