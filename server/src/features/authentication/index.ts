import type { Feature } from '../feature.ts';
import { authenticationAttempts } from './attempts.ts';
import { desktopRoutes } from './desktop-routes.ts';
import { authenticationJobs } from './jobs.ts';
import { pageRoutes } from './page-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { authenticationRoutes } from './routes.ts';

export const authentication: Feature = {
  name: 'authentication',
  routes: (rooms) => [
    ...authenticationRoutes(rooms),
    ...pageRoutes(rooms),
    ...providerRoutes(rooms),
    ...desktopRoutes(rooms),
  ],
  attempts: authenticationAttempts,
  jobs: authenticationJobs,
};
