import type { Feature } from '../feature.ts';
import { organizationAttempts } from './attempts.ts';
import { organizationPresenter } from './events.ts';
import { fullMemberJobs } from './jobs.ts';
import { organizationRoutes } from './routes.ts';
import { organizationState } from './state.ts';

export const organizations: Feature = {
  name: 'organizations',
  routes: organizationRoutes,
  state: organizationState,
  presenters: { realm: organizationPresenter },
  attempts: organizationAttempts,
  jobs: fullMemberJobs,
};
