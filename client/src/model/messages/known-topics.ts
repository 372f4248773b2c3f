import type { Model } from '../model.ts';
import { keyOf, type Place, type TopicPlace, topicPlace } from './places.ts';

/**
 * The topics that the client knows without a request, each once: those of recent conversations, of unread messages, and of the channels whose
 * topics are loaded. The newest of each come first.
 * @param first a channel whose topics come before all others
 */
export function knownTopics({ cache, channels, unread }: Model, first?: number): readonly TopicPlace[] {
  const known = new Map<string, TopicPlace>();
  const add = (place: Place): void => {
    if (place.kind !== 'topic') return;
    const key = keyOf(place);
    if (!known.has(key)) known.set(key, place);
  };
  const addAllOf = (channelId: number): void => {
    for (const { topic } of cache.topics.of(channelId)) add(topicPlace(channelId, topic));
  };
  if (first !== undefined) addAllOf(first);
  for (const { place } of cache.recent.list()) add(place);
  for (const { place } of unread.groups()) add(place);
  for (const channelId of channels.all.keys()) addAllOf(channelId);
  return [...known.values()];
}
