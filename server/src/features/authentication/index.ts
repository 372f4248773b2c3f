import type { Feature } from '../feature.ts';
import { authenticationAttempts } from './attempts.ts';
import { authenticationRoutes } from './routes.ts';

export const authentication: Feature = {
  name: 'authentication',
  routes: authenticationRoutes,
  attempts: authenticationAttempts,
};
