import Type from 'typebox';

/** How the user wants to see a topic. */
export const userTopic = Type.Object({
  stream_id: Type.Integer(),
  topic_name: Type.String(),
  last_updated: Type.Integer({ description: 'Seconds since the epoch' }),
  visibility_policy: Type.Integer({ description: '1 muted, 2 unmuted, 3 followed' }),
});

/** Of older clients: the channel by its name, the topic, and since when it is muted. */
export const mutedTopics = Type.Array(
  Type.Array(Type.Union([Type.String(), Type.Integer()]), { minItems: 3, maxItems: 3 }),
);
