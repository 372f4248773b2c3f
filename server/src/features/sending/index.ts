import type { Feature } from '../feature.ts';
import { sendingAttempts } from './attempts.ts';
import { sendingRoutes } from './routes.ts';

export const sending: Feature = {
  name: 'sending',
  routes: sendingRoutes,
  attempts: sendingAttempts,
};
