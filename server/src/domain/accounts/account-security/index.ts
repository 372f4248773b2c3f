import { notExported } from '../../../extension/exports.ts';
import type { Feature } from '../../../extension/feature.ts';
import { accountJobs } from './jobs.ts';
import { accountMailings } from './mails.ts';
import { accountPageRoutes } from './page-routes.ts';

export const account: Feature = {
  routes: accountPageRoutes,
  mailings: accountMailings,
  jobs: accountJobs,
  exports: notExported('links and notices of this server', 'account_links', 'login_notices'),
};
