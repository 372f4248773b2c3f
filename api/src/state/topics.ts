import Type from 'typebox';
import { mutedTopics, userTopic } from '../objects/user-topic.ts';

export const topicsState = {
  user_topics: Type.Optional(Type.Array(userTopic)),
  muted_topics: Type.Optional(mutedTopics),
};
