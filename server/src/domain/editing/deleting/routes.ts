import { deleteMessage, deleteTopic } from '@heddle/api/endpoints/deleting.ts';
import { type HeddleRoute, route } from '../../../extension/app-context.ts';
import { deleteOne, deleteTopicWithin } from './actions.ts';

/** Milliseconds for which one request deletes messages. Clients and proxies wait at least a minute. */
const DELETE_TIME_LIMIT_MS = 20_000;

export function deletingRoutes(): readonly HeddleRoute[] {
  return [
    route(deleteMessage, {}, async ({ parameters, organization, caller }) => {
      await deleteOne(organization, caller, parameters.message_id);
      return {};
    }),

    route(deleteTopic, {}, async ({ parameters, organization, caller }) => {
      const { stream_id: channelId, topic_name: topic } = parameters;
      return { complete: await deleteTopicWithin(organization, caller, { channelId, topic }, DELETE_TIME_LIMIT_MS) };
    }),
  ];
}
