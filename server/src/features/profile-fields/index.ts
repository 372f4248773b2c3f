import type { Feature } from '../feature.ts';
import { profileFieldAttempts } from './attempts.ts';
import { profileFieldsPresenter } from './events.ts';
import { profileFieldJobs } from './jobs.ts';
import { profileFieldRoutes } from './routes.ts';
import { profileFieldsState } from './state.ts';

export const profileFields: Feature = {
  name: 'profile-fields',
  routes: profileFieldRoutes,
  state: () => profileFieldsState,
  presenters: { custom_profile_fields: profileFieldsPresenter },
  attempts: profileFieldAttempts,
  jobs: profileFieldJobs,
};
