import type { Feature } from '../feature.ts';
import { userSettingsState } from './state.ts';

export const userSettings: Feature = {
  name: 'user-settings',
  state: () => userSettingsState,
};
