import type { Feature } from '../../../extension/feature.ts';
import { sendingRoutes } from './routes.ts';

export const sending: Feature = {
  routes: sendingRoutes,
};
