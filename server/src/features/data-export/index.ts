import type { Feature } from '../../extension/feature.ts';
import { exportsPresenter } from './events.ts';
import { dataExportJobs } from './jobs.ts';
import { dataExportExports } from './not-exported.ts';
import { dataExportRoutes } from './routes.ts';

/** Archives of an organization, for its administrators. */
export const dataExport: Feature = {
  routes: dataExportRoutes,
  presenters: { realm_export: exportsPresenter },
  jobs: dataExportJobs,
  exports: dataExportExports,
};
