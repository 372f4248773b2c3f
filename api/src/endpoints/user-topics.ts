import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, optional, required } from '../contract.ts';

const AREA = 'Channels';

const topic = required(text(), {
  description: 'A topic of at most `max_topic_length` characters, with or without messages',
});

export const updateUserTopic = defineEndpoint({
  operationId: 'update-user-topic',
  method: 'POST',
  path: '/user_topics',
  area: AREA,
  summary: 'Set the visibility policy of a topic',
  authentication: 'required',
  parameters: {
    stream_id: required(Type.Integer()),
    topic,
    visibility_policy: required(
      Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2), Type.Literal(3)], {
        description: '0 none, 1 muted, 2 unmuted, 3 followed',
      }),
    ),
  },
  response: Type.Object({}),
  errors: [],
});

export const updateMutedTopic = defineEndpoint({
  operationId: 'mute-topic',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  area: AREA,
  summary: 'Mute or unmute a topic',
  authentication: 'required',
  parameters: {
    stream_id: optional(Type.Integer()),
    stream: optional(text(), { description: 'The name of the channel, instead of `stream_id`' }),
    topic,
    op: required(Type.Union([Type.Literal('add'), Type.Literal('remove')])),
  },
  response: Type.Object({}),
  errors: ['REQUEST_VARIABLE_MISSING', 'UNSUPPORTED_COMBINATION'],
  deprecated: true,
});
