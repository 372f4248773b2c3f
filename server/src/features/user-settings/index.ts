import type { Feature } from '../feature.ts';
import { userSettingsAttempts } from './attempts.ts';
import { settingPresenters } from './events.ts';
import { userSettingsRoutes } from './routes.ts';
import { userSettingsState } from './state.ts';

export const userSettings: Feature = {
  name: 'user-settings',
  routes: userSettingsRoutes,
  state: () => userSettingsState,
  presenters: settingPresenters,
  attempts: userSettingsAttempts,
};
