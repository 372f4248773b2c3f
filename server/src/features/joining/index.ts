import type { Feature } from '../feature.ts';
import { joiningAttempts } from './attempts.ts';
import { joiningJobs } from './jobs.ts';
import { joiningMailing } from './mails.ts';
import { joiningRoutes } from './routes.ts';

export const joining: Feature = {
  name: 'joining',
  routes: joiningRoutes,
  mailings: (rooms) => [joiningMailing(rooms)],
  attempts: joiningAttempts,
  jobs: joiningJobs,
};
