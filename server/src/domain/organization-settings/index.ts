import type { Feature } from '../../extension/feature.ts';
import { organizationPresenter } from '../organizations/events.ts';
import { fullMemberJobs } from './jobs.ts';
import { organizationRoutes } from './routes.ts';
import { organizationState } from './state.ts';

export const organizations: Feature = {
  routes: organizationRoutes,
  state: organizationState,
  presenters: { realm: organizationPresenter },
  jobs: fullMemberJobs,
};
