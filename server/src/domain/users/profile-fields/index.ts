import type { Feature } from '../../../extension/feature.ts';
import { profileFieldsPresenter } from './events.ts';
import { profileFieldsExports } from './exports.ts';
import { profileFieldJobs } from './jobs.ts';
import { profilesPart } from './profiles.ts';
import { profileFieldRoutes } from './routes.ts';
import { profileFieldsState } from './state.ts';

export const profileFields: Feature = {
  routes: profileFieldRoutes,
  directory: [profilesPart],
  state: () => profileFieldsState,
  presenters: { custom_profile_fields: profileFieldsPresenter },
  jobs: profileFieldJobs,
  exports: profileFieldsExports,
};
