import Type from 'typebox';
import { mutedTopics, userTopic } from '../objects/user-topic.ts';

/** `visibility_policy` may be 0 here: the topic is as its channel again. */
export const userTopicEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('user_topic'),
  ...userTopic.properties,
});

/** Of older clients: all muted topics, whenever they have changed. */
export const mutedTopicsEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('muted_topics'),
  muted_topics: mutedTopics,
});
