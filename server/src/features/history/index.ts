import type { Feature } from '../feature.ts';
import { historyAttempts } from './attempts.ts';
import { indexingJobs } from './indexing.ts';
import { historyRoutes } from './routes.ts';

export const history: Feature = {
  name: 'history',
  routes: historyRoutes,
  jobs: indexingJobs,
  attempts: historyAttempts,
};
