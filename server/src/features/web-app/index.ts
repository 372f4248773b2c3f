import type { Feature } from '../../extension/feature.ts';
import { webAppRoutes } from './routes.ts';

export const webApp: Feature = {
  routes: webAppRoutes,
};
