import type { Feature } from '../../../extension/feature.ts';
import { consentPresenter } from '../../users/user-settings/consents.ts';
import { settingPresenters } from '../../users/user-settings/events.ts';
import { userSettingsRoutes } from './routes.ts';
import { userSettingsState } from './state.ts';

export const userSettings: Feature = {
  routes: userSettingsRoutes,
  state: () => userSettingsState,
  presenters: { ...settingPresenters, realm_export_consent: consentPresenter },
};
