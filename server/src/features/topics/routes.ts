import { getTopics } from '@heddle/api/endpoints/topics.ts';
import { accessChannel, contentAccess } from '../../access/channels.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../access/limits.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { receivedTopicsOf, topicsOf } from './queries.ts';

export function topicRoutes(rooms: Rooms): readonly HeddleRoute[] {
  return [
    route(getTopics, {}, async ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const channel = accessChannel(directory, caller, parameters.stream_id, 'read');
      const topics =
        contentAccess(directory, caller, channel) === 'all'
          ? await topicsOf(rooms.db, organization.id, channel.id)
          : await receivedTopicsOf(rooms.db, organization.id, channel.id, caller.id);
      const shown = (name: string) =>
        name === '' && !parameters.allow_empty_topic_name ? EMPTY_TOPIC_DISPLAY_NAME : name;
      return { topics: topics.map(({ name, newestMessageId }) => ({ name: shown(name), max_id: newestMessageId })) };
    }),
  ];
}
