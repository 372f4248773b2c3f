import Type from 'typebox';
import {
  displaySettings,
  notificationSettings,
  settingChoices,
  userSettings,
  userSettingsDefaults,
} from '../objects/user-settings.ts';

/** The caller's settings: as one object, and for clients that know no such object one by one; and what new accounts begin with. */
export const userSettingsState = {
  user_settings: Type.Optional(userSettings),
  realm_user_settings_defaults: Type.Optional(userSettingsDefaults),
  ...Type.Partial(Type.Object({ ...displaySettings, ...notificationSettings, ...settingChoices })).properties,
};
