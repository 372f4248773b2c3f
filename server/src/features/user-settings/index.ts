import type { Feature } from '../feature.ts';
import { userSettingsAttempts } from './attempts.ts';
import { consentPresenter } from './consents.ts';
import { settingPresenters } from './events.ts';
import { userSettingsRoutes } from './routes.ts';
import { userSettingsState } from './state.ts';

export const userSettings: Feature = {
  name: 'user-settings',
  routes: userSettingsRoutes,
  state: () => userSettingsState,
  presenters: { ...settingPresenters, realm_export_consent: consentPresenter },
  attempts: userSettingsAttempts,
};
