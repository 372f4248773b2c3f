import type { Feature } from '../../extension/feature.ts';
import { homeRoutes } from './routes.ts';

export const home: Feature = {
  routes: homeRoutes,
};
