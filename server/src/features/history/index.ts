import type { Feature } from '../feature.ts';
import { historyAttempts } from './attempts.ts';
import { historyRoutes } from './routes.ts';

export const history: Feature = {
  name: 'history',
  routes: historyRoutes,
  attempts: historyAttempts,
};
