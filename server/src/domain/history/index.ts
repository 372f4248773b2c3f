import type { Feature } from '../../extension/feature.ts';
import { indexingJobs } from './indexing.ts';
import { historyRoutes } from './routes.ts';

export const history: Feature = {
  routes: historyRoutes,
  jobs: indexingJobs,
};
