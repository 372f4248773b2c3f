import { sql } from 'kysely';
import { type StatePart, statePart } from '../initial-state.ts';
import { type MutedTopic, presentMutedTopics, presentUserTopic, type UserTopicBody } from './events.ts';
import { selectMutedTopics } from './policies.ts';

export const topicsState: readonly StatePart[] = [
  statePart<readonly UserTopicBody[]>({
    types: ['user_topic'],
    // Index: user_topics_by_user; a user has a bounded number (policies.ts).
    select: ({ organizationId, userId }) => sql`
      SELECT coalesce(json_agg(own), '[]') FROM (
        SELECT channel_id AS "channelId", topic, policy, extract(epoch FROM updated_at)::bigint AS "updatedAt"
          FROM user_topics
         WHERE organization_id = ${organizationId} AND user_id = ${userId}
         ORDER BY channel_id, topic_key
      ) AS own`,
    build: ({ settings }, topics) => ({
      user_topics: topics.map((topic) => presentUserTopic(topic, settings.capabilities.emptyTopicName)),
    }),
    spectators: { build: () => ({ user_topics: [] }) },
  }),
  statePart<readonly MutedTopic[]>({
    types: ['muted_topics'],
    select: ({ organizationId, userId }) => selectMutedTopics(organizationId, userId),
    build({ directory, user, settings }, topics) {
      // Who names both types knows the newer one, and lists the older for older servers.
      if (settings.eventTypes?.includes('user_topic')) return {};
      return { muted_topics: presentMutedTopics(directory, user, topics, settings.capabilities.emptyTopicName) };
    },
    spectators: {
      build: ({ settings }) => (settings.eventTypes?.includes('user_topic') ? {} : { muted_topics: [] }),
    },
  }),
];
