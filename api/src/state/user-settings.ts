import Type from 'typebox';
import { displaySettings, notificationSettings, settingChoices, userSettings } from '../objects/user-settings.ts';

/** The caller's settings: as one object, and for clients that know no such object one by one. */
export const userSettingsState = {
  user_settings: Type.Optional(userSettings),
  ...Type.Partial(Type.Object({ ...displaySettings, ...notificationSettings, ...settingChoices })).properties,
};
