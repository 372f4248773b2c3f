import Type from 'typebox';
import { mutedTopics, userTopic } from '../objects/user-topic.ts';

/** `visibility_policy` can be 0: the topic follows its channel again. */
export const userTopicEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('user_topic'),
  ...userTopic.properties,
});

/** For older clients: all muted topics after each change. */
export const mutedTopicsEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('muted_topics'),
  muted_topics: mutedTopics,
});
