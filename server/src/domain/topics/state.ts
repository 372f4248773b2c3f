import { sql } from 'kysely';
import { isChannelShownNow } from '../../directory/archived.ts';
import { type StatePart, statePart } from '../../extension/initial-state.ts';
import { type MutedTopic, presentMutedTopics, presentUserTopic, type UserTopicBody } from './events.ts';
import { selectMutedTopics } from './policies.ts';

export const topicsState: readonly StatePart[] = [
  statePart<readonly UserTopicBody[]>({
    types: ['user_topic'],
    // Index: user_topics_by_user. The number per user is bounded (policies.ts).
    select: ({ organizationId, userId }) => sql`
      SELECT coalesce(json_agg(own), '[]') FROM (
        SELECT channel_id AS "channelId", topic, policy, extract(epoch FROM updated_at)::bigint AS "updatedAt"
          FROM user_topics
         WHERE organization_id = ${organizationId} AND user_id = ${userId}
         ORDER BY channel_id, topic_key
      ) AS own`,
    build: ({ directory, settings }, topics) => ({
      user_topics: topics
        .filter(({ channelId }) => isChannelShownNow(directory, settings, channelId))
        .map((topic) => presentUserTopic(topic, settings.capabilities.emptyTopicName)),
    }),
    spectators: { build: () => ({ user_topics: [] }) },
  }),
  statePart<readonly MutedTopic[]>({
    types: ['muted_topics'],
    select: ({ organizationId, userId }) => selectMutedTopics(organizationId, userId),
    build({ directory, user, settings }, topics) {
      // A client that asks for both types knows the newer one. It lists the older one for servers without the newer.
      if (settings.eventTypes?.includes('user_topic')) return {};
      return { muted_topics: presentMutedTopics(directory, user, topics, settings.capabilities) };
    },
    spectators: {
      build: ({ settings }) => (settings.eventTypes?.includes('user_topic') ? {} : { muted_topics: [] }),
    },
  }),
];
