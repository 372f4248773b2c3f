import Type from 'typebox';
import {
  displaySettings,
  notificationSettings,
  settingChoices,
  userSettings,
  userSettingsDefaults,
} from '../objects/user-settings.ts';

/** The settings of the caller, as an object and (for older clients) as single fields, and the defaults of new accounts. */
export const userSettingsState = {
  user_settings: Type.Optional(userSettings),
  realm_user_settings_defaults: Type.Optional(userSettingsDefaults),
  ...Type.Partial(Type.Object({ ...displaySettings, ...notificationSettings, ...settingChoices })).properties,
};
