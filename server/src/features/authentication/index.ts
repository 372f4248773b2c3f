import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { desktopRoutes } from './desktop-routes.ts';
import { authenticationJobs } from './jobs.ts';
import { pageRoutes } from './page-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { authenticationRoutes } from './routes.ts';
import { sessionRoutes } from './session-routes.ts';

export const authentication: Feature = {
  routes: (app) => [
    ...authenticationRoutes(app),
    ...sessionRoutes(app),
    ...pageRoutes(app),
    ...providerRoutes(app),
    ...desktopRoutes(app),
  ],
  jobs: authenticationJobs,
  exports: notExported('logins to this server', 'sessions', 'desktop_logins'),
};
