import { getTopics } from '@heddle/api/endpoints/topics.ts';
import { accessChannel, contentAccess } from '../../access/channels.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../access/limits.ts';
import { type HeddleRoute, route } from '../rooms.ts';
import { receivedTopicsOf, topicsOf } from './queries.ts';

export function topicRoutes(): readonly HeddleRoute[] {
  return [
    route(getTopics, {}, async ({ parameters, organization, caller }) => {
      const topics = await organization.readBy(caller, async ({ db, directory, caller: reader }) => {
        const channel = accessChannel(directory, reader, parameters.stream_id, 'read');
        return contentAccess(directory, reader, channel) === 'all'
          ? topicsOf(db, organization.id, channel.id)
          : receivedTopicsOf(db, organization.id, channel.id, reader.id);
      });
      const shown = (name: string) =>
        name === '' && !parameters.allow_empty_topic_name ? EMPTY_TOPIC_DISPLAY_NAME : name;
      return { topics: topics.map(({ name, newestMessageId }) => ({ name: shown(name), max_id: newestMessageId })) };
    }),
  ];
}
