import Type from 'typebox';
import { settingValue } from '../objects/user-settings.ts';

const id = Type.Integer();
const languageName = Type.Optional(
  Type.String({ description: 'Only for `default_language`: the name of the language' }),
);

/** A setting of the user changed. */
export const userSettingsEvent = Type.Object({
  id,
  type: Type.Literal('user_settings'),
  op: Type.Literal('update'),
  property: Type.String(),
  value: settingValue,
  language_name: languageName,
});

/** A display setting changed, for clients without `user_settings_object`. */
export const displaySettingsEvent = Type.Object({
  id,
  type: Type.Literal('update_display_settings'),
  user: Type.String({ description: 'The API address of the user' }),
  setting_name: Type.String(),
  setting: settingValue,
  language_name: languageName,
});

/** A notification setting changed, for clients without `user_settings_object`. */
export const notificationSettingsEvent = Type.Object({
  id,
  type: Type.Literal('update_global_notifications'),
  user: Type.String({ description: 'The API address of the user' }),
  notification_name: Type.String(),
  setting: settingValue,
});

/** A default of new accounts changed. */
export const settingsDefaultsEvent = Type.Object({
  id,
  type: Type.Literal('realm_user_settings_defaults'),
  op: Type.Literal('update'),
  property: Type.String(),
  value: settingValue,
});
