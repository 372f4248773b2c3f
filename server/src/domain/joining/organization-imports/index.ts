import { notExported } from '../../../extension/exports.ts';
import type { Feature } from '../../../extension/feature.ts';
import { organizationImportJobs } from './jobs.ts';
import { organizationImportRoutes } from './routes.ts';

/** Imports of archives that the owner of a new organization starts in the browser. */
export const organizationImports: Feature = {
  routes: organizationImportRoutes,
  jobs: (app) => organizationImportJobs(app),
  exports: notExported('imports into this server', 'organization_imports'),
};
