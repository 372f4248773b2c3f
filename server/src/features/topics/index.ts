import type { Feature } from '../feature.ts';
import { topicRoutes } from './routes.ts';

export const topics: Feature = {
  name: 'topics',
  routes: topicRoutes,
};
