import type { Feature } from '../feature.ts';
import { historyRoutes } from './routes.ts';

export const history: Feature = {
  name: 'history',
  routes: historyRoutes,
};
