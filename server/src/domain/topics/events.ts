import { isChannelShown } from '../../directory/archived.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Presenter } from '../../directory/presenters.ts';
import type { UserRecord } from '../../directory/records.ts';
import { hasMetadataAccess } from '../../directory/visibility.ts';
import type { NewEvent } from '../../log/event.ts';
import type { QueueSettings } from '../../log/queue.ts';
import { shownTopic } from '../texts/shared/topic-names.ts';

/** The body of `user_topic` events. The policy has the API's number. */
export interface UserTopicBody {
  readonly channelId: number;
  readonly topic: string;
  readonly policy: number;
  /** Seconds since the epoch. */
  readonly updatedAt: number;
}

/** A muted topic of a user, with the time of muting. */
export type MutedTopic = readonly [channelId: number, topic: string, since: number];

/** The same with the channel's name: the body of `muted_topics` events. */
type NamedTopic = readonly [channel: string, topic: string, since: number, inArchived?: true];

/** Policies are private, so only the user gets the event. */
export function userTopicEvent(userId: number, body: UserTopicBody): NewEvent {
  return userTopicsEvent([userId], body);
}

/** One event for many users. */
export function userTopicsEvent(userIds: readonly number[], body: UserTopicBody): NewEvent {
  return { type: 'user_topic', audience: { to: 'users', users: userIds }, body };
}

/** Contains the names of channels at the time of the event, as a client that reads it late knows them by these. */
export function mutedTopicsEvent(directory: Directory, userId: number, topics: readonly MutedTopic[]): NewEvent {
  const user = directory.user(userId);
  const body = user === undefined ? [] : knownTopics(directory, user, topics);
  return { type: 'muted_topics', audience: { to: 'users', users: [userId] }, body };
}

export const userTopicPresenter: Presenter = {
  variant: ({ capabilities }) => `${Number(capabilities.emptyTopicName)}`,
  present(event, { capabilities }) {
    return { type: 'user_topic', ...presentUserTopic(event.body as UserTopicBody, capabilities.emptyTopicName) };
  },
  wants: ({ id, body }, { settings }, _, directory) =>
    isChannelShown(directory, settings, (body as UserTopicBody).channelId, id),
};

export const mutedTopicsPresenter: Presenter = {
  variant: ({ capabilities }) => `${Number(capabilities.emptyTopicName)}${Number(capabilities.archivedChannels)}`,
  present(event, { capabilities }) {
    return { type: 'muted_topics', muted_topics: presentNamed(event.body as readonly NamedTopic[], capabilities) };
  },
  // A client that asks for both types knows the newer one. It lists the older one for servers without the newer.
  wants: (_, { settings }) => !settings.eventTypes?.includes('user_topic'),
};

export function presentUserTopic({ channelId, topic, policy, updatedAt }: UserTopicBody, knowsEmptyTopic: boolean) {
  return {
    stream_id: channelId,
    topic_name: shownTopic(topic, knowsEmptyTopic),
    last_updated: updatedAt,
    visibility_policy: policy,
  };
}

/** Muted topics with the names of their channels. Leaves out channels to which the user lost metadata access. */
export function presentMutedTopics(
  directory: Directory,
  user: UserRecord,
  topics: readonly MutedTopic[],
  capabilities: Knowing,
): (string | number)[][] {
  return presentNamed(knownTopics(directory, user, topics), capabilities);
}

function knownTopics(directory: Directory, user: UserRecord, topics: readonly MutedTopic[]): readonly NamedTopic[] {
  return topics.flatMap(([channelId, topic, since]) => {
    const channel = directory.channel(channelId);
    if (channel === undefined || !hasMetadataAccess(directory, user, channel)) return [];
    const named = [channel.name, topic, since] as const;
    return [channel.isArchived ? [...named, true] : named];
  });
}

type Knowing = Pick<QueueSettings['capabilities'], 'emptyTopicName' | 'archivedChannels'>;

function presentNamed(
  topics: readonly NamedTopic[],
  { emptyTopicName, archivedChannels }: Knowing,
): (string | number)[][] {
  return topics
    .filter(([, , , inArchived]) => archivedChannels || inArchived === undefined)
    .map(([channel, topic, since]) => [channel, shownTopic(topic, emptyTopicName), since]);
}
