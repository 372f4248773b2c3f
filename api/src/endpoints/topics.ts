import Type from 'typebox';
import { defaulted, defineEndpoint, inPath } from '../contract.ts';

export const getTopics = defineEndpoint({
  operationId: 'get-stream-topics',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  area: 'Channels',
  summary: 'List the topics of a channel that the caller may read, newest first',
  description: 'Without credentials: of a web-public channel, where the organization has spectators.',
  authentication: 'optional',
  parameters: {
    stream_id: inPath(Type.Integer()),
    allow_empty_topic_name: defaulted(Type.Boolean(), false, {
      description: "When false, the empty topic's display name stands for it",
    }),
  },
  response: Type.Object({
    topics: Type.Array(Type.Object({ name: Type.String(), max_id: Type.Integer() })),
  }),
  errors: [],
});
