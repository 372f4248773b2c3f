import Type from 'typebox';
import { settingValue } from '../objects/user-settings.ts';

const id = Type.Integer();
const languageName = Type.Optional(
  Type.String({ description: "Only with `default_language`: the language's own name" }),
);

/** A setting of the reader's own was changed. */
export const userSettingsEvent = Type.Object({
  id,
  type: Type.Literal('user_settings'),
  op: Type.Literal('update'),
  property: Type.String(),
  value: settingValue,
  language_name: languageName,
});

/** The same of display settings, for clients without the capability `user_settings_object`. */
export const displaySettingsEvent = Type.Object({
  id,
  type: Type.Literal('update_display_settings'),
  user: Type.String({ description: "The reader's API address" }),
  setting_name: Type.String(),
  setting: settingValue,
  language_name: languageName,
});

/** The same of notification settings, for clients without the capability `user_settings_object`. */
export const notificationSettingsEvent = Type.Object({
  id,
  type: Type.Literal('update_global_notifications'),
  user: Type.String({ description: "The reader's API address" }),
  notification_name: Type.String(),
  setting: settingValue,
});

/** A setting that new accounts begin with was changed. */
export const settingsDefaultsEvent = Type.Object({
  id,
  type: Type.Literal('realm_user_settings_defaults'),
  op: Type.Literal('update'),
  property: Type.String(),
  value: settingValue,
});
