import Type from 'typebox';

/** The visibility policy of a user for a topic. */
export const userTopic = Type.Object({
  stream_id: Type.Integer(),
  topic_name: Type.String(),
  last_updated: Type.Integer({ description: 'Seconds since the epoch' }),
  visibility_policy: Type.Integer({ description: '1 muted, 2 unmuted, 3 followed' }),
});

/** For older clients: the name of the channel, the topic, and the time of muting. */
export const mutedTopics = Type.Array(
  Type.Array(Type.Union([Type.String(), Type.Integer()]), { minItems: 3, maxItems: 3 }),
);
