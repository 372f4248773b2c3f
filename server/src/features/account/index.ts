import type { Feature } from '../feature.ts';
import { accountAttempts } from './attempts.ts';
import { accountJobs } from './jobs.ts';
import { accountMailings } from './mails.ts';
import { accountPageRoutes } from './page-routes.ts';

export const account: Feature = {
  name: 'account',
  routes: accountPageRoutes,
  mailings: accountMailings,
  attempts: accountAttempts,
  jobs: accountJobs,
};
