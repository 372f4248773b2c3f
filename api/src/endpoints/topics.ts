import Type from 'typebox';
import { defaulted, defineEndpoint, inPath } from '../contract.ts';

export const getTopics = defineEndpoint({
  operationId: 'get-stream-topics',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  area: 'Channels',
  summary: 'List the accessible topics of a channel, newest first',
  description: 'Without credentials, only for web-public channels, in organizations with spectators.',
  authentication: 'optional',
  parameters: {
    stream_id: inPath(Type.Integer()),
    allow_empty_topic_name: defaulted(Type.Boolean(), false, {
      description: 'If false, the response contains the display name of the empty topic',
    }),
  },
  response: Type.Object({
    topics: Type.Array(Type.Object({ name: Type.String(), max_id: Type.Integer() })),
  }),
  errors: [],
});
