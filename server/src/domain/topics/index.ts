import type { Feature } from '../../extension/feature.ts';
import { mutedTopicsPresenter, userTopicPresenter } from './events.ts';
import { topicsExports } from './exports.ts';
import { topicRoutes } from './routes.ts';
import { topicsState } from './state.ts';

export const topics: Feature = {
  routes: topicRoutes,
  state: () => topicsState,
  presenters: { user_topic: userTopicPresenter, muted_topics: mutedTopicsPresenter },
  exports: topicsExports,
};
