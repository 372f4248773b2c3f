import type { Message } from '../../calls/types.ts';

/** A topic of a channel. Topics are equal if they differ only in case. The empty topic is '' (shown as "general chat"). */
export interface TopicPlace {
  readonly kind: 'topic';
  readonly channelId: number;
  readonly topic: string;
}

/** A direct conversation. `userIds` are the other participants in ascending order. It is empty for messages to oneself. */
export interface DirectPlace {
  readonly kind: 'direct';
  readonly userIds: readonly number[];
}

/** Where a message is. */
export type Place = TopicPlace | DirectPlace;

export function topicPlace(channelId: number, topic: string): TopicPlace {
  return { kind: 'topic', channelId, topic };
}

/** @param participants ids in any order, with or without `ownId` */
export function directPlace(participants: readonly number[], ownId: number): DirectPlace {
  const others = new Set(participants.filter((id) => id !== ownId));
  return { kind: 'direct', userIds: [...others].sort((a, b) => a - b) };
}

/** Equal places have equal keys. */
export function keyOf(place: Place): string {
  return place.kind === 'topic' ? `${place.channelId}:${topicKey(place.topic)}` : `d${place.userIds.join(',')}`;
}

/** Equal for topics that are equal. */
export function topicKey(topic: string): string {
  return topic.toLowerCase();
}

export function isSamePlace(one: Place, other: Place): boolean {
  return keyOf(one) === keyOf(other);
}

/** The place of a message on the wire. */
export function placeOf(
  message: Pick<Message, 'type' | 'stream_id' | 'subject' | 'display_recipient'>,
  ownId: number,
): Place {
  if (message.type === 'stream') return topicPlace(message.stream_id ?? 0, message.subject);
  const { display_recipient: participants } = message;
  return directPlace(typeof participants === 'string' ? [] : participants.map(({ id }) => id), ownId);
}

const RESOLVED = '✔ ';

/** Whether the topic is marked as resolved, which its name says. */
export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED);
}

/** The topic without the mark of resolved topics. */
export function unresolvedName(topic: string): string {
  return topic.replace(/^(✔ )+/u, '');
}

export function resolvedName(topic: string): string {
  return isResolved(topic) ? topic : RESOLVED + topic;
}
