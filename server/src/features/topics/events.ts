import type { Directory } from '../../directory/directory.ts';
import type { Presenter } from '../../directory/presenters.ts';
import type { UserRecord } from '../../directory/records.ts';
import { knowsChannel } from '../../directory/visibility.ts';
import type { NewEvent } from '../../log/event.ts';
import { shownTopic } from '../topic-names.ts';

/** What `user_topic` events carry in the log: the policy is as on the wire. */
export interface UserTopicBody {
  readonly channelId: number;
  readonly topic: string;
  readonly policy: number;
  /** Seconds since the epoch. */
  readonly updatedAt: number;
}

/** A topic that its user has muted, and since when. */
export type MutedTopic = readonly [channelId: number, topic: string, since: number];

/** The same by the channel's name: what `muted_topics` events carry in the log. */
type NamedTopic = readonly [channel: string, topic: string, since: number];

/** Policies are a user's own: nobody else hears of them. */
export function userTopicEvent(userId: number, body: UserTopicBody): NewEvent {
  return userTopicsEvent([userId], body);
}

/** The same for many users at once. */
export function userTopicsEvent(userIds: readonly number[], body: UserTopicBody): NewEvent {
  return { type: 'user_topic', audience: { to: 'users', users: userIds }, body };
}

/** By the names that the channels have then: whoever reads it late knows them by these. */
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
};

export const mutedTopicsPresenter: Presenter = {
  variant: ({ capabilities }) => `${Number(capabilities.emptyTopicName)}`,
  present(event, { capabilities }) {
    return {
      type: 'muted_topics',
      muted_topics: presentNamed(event.body as readonly NamedTopic[], capabilities.emptyTopicName),
    };
  },
  // Who names both types knows the newer one, and lists the older for older servers.
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

/** By the names of their channels, without those of channels that the user may not know any more. */
export function presentMutedTopics(
  directory: Directory,
  user: UserRecord,
  topics: readonly MutedTopic[],
  knowsEmptyTopic: boolean,
): (string | number)[][] {
  return presentNamed(knownTopics(directory, user, topics), knowsEmptyTopic);
}

function knownTopics(directory: Directory, user: UserRecord, topics: readonly MutedTopic[]): readonly NamedTopic[] {
  return topics.flatMap(([channelId, topic, since]) => {
    const channel = directory.channel(channelId);
    if (channel === undefined || !knowsChannel(directory, user, channel)) return [];
    return [[channel.name, topic, since] as const];
  });
}

function presentNamed(topics: readonly NamedTopic[], knowsEmptyTopic: boolean): (string | number)[][] {
  return topics.map(([channel, topic, since]) => [channel, shownTopic(topic, knowsEmptyTopic), since]);
}
