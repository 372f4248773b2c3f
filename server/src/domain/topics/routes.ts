import { getTopics } from '@heddle/api/endpoints/topics.ts';
import { updateMutedTopic, updateUserTopic } from '@heddle/api/endpoints/user-topics.ts';
import { missingParameter, unsupportedCombination } from '@heddle/api/errors.ts';
import { contentAccess, readableChannel } from '../../access/channels.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../access/limits.ts';
import { checkSpectatorsLetIn } from '../../access/spectators.ts';
import { type HeddleRoute, route } from '../../extension/app-context.ts';
import { changePolicy } from './actions.ts';
import { Policy } from './policies.ts';
import { receivedTopicsOf, topicsOf } from './queries.ts';

export function topicRoutes(): readonly HeddleRoute[] {
  return [
    route(getTopics, {}, async ({ parameters, organization, caller }) => {
      const topics = await organization.read(caller, async ({ db, directory, caller: reader }) => {
        if (reader === undefined) checkSpectatorsLetIn(directory);
        const channel = readableChannel(directory, reader, parameters.stream_id, 'read');
        return reader === undefined || contentAccess(directory, reader, channel) === 'all'
          ? topicsOf(db, organization.id, channel.id)
          : receivedTopicsOf(db, organization.id, channel.id, reader.id);
      });
      const shown = (name: string) =>
        name === '' && !parameters.allow_empty_topic_name ? EMPTY_TOPIC_DISPLAY_NAME : name;
      return { topics: topics.map(({ name, newestMessageId }) => ({ name: shown(name), max_id: newestMessageId })) };
    }),

    route(updateUserTopic, {}, async ({ parameters, organization, caller }) => {
      const { stream_id: channel, topic, visibility_policy: policy } = parameters;
      await changePolicy(organization, caller, { channel, topic, policy });
      return {};
    }),

    route(updateMutedTopic, {}, async ({ parameters, organization, caller }) => {
      const { stream_id: id, stream: name, topic, op } = parameters;
      if (id !== undefined && name !== undefined) throw unsupportedCombination(['stream_id', 'stream']);
      const channel = id ?? name;
      if (channel === undefined) throw missingParameter('stream_id');
      const muting = { channel, topic, policy: Policy.muted };
      const unmuting = { channel, topic, policy: Policy.none, unknownChannel: 'Topic is not muted' };
      await changePolicy(organization, caller, op === 'add' ? muting : unmuting);
      return {};
    }),
  ];
}
