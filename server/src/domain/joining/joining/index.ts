import { notExported } from '../../../extension/exports.ts';
import type { Feature } from '../../../extension/feature.ts';
import { joiningJobs } from './jobs.ts';
import { joiningMailing } from './mails.ts';
import { joiningRoutes } from './routes.ts';

export const joining: Feature = {
  routes: joiningRoutes,
  mailings: (app) => [joiningMailing(app)],
  jobs: joiningJobs,
  exports: notExported('links of this server', 'address_confirmations'),
};
