import type { Feature } from '../feature.ts';
import { topicAttempts } from './attempts.ts';
import { topicRoutes } from './routes.ts';

export const topics: Feature = {
  name: 'topics',
  routes: topicRoutes,
  attempts: topicAttempts,
};
