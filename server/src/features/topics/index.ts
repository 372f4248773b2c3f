import type { Feature } from '../feature.ts';
import { topicAttempts } from './attempts.ts';
import { mutedTopicsPresenter, userTopicPresenter } from './events.ts';
import { topicRoutes } from './routes.ts';
import { topicsState } from './state.ts';

export const topics: Feature = {
  name: 'topics',
  routes: topicRoutes,
  state: () => topicsState,
  presenters: { user_topic: userTopicPresenter, muted_topics: mutedTopicsPresenter },
  attempts: topicAttempts,
};
