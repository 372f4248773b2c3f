import Type, { type TProperties } from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, optional, type Parameter } from '../contract.ts';
import { displaySettings, notificationSettings, oneOf, otherSettings } from '../objects/user-settings.ts';

const AREA = 'Settings';

type Changeable<Properties extends TProperties> = {
  [Name in keyof Properties]: Parameter<Properties[Name], 'optional'>;
};

const SAY_WHY: ReadonlySet<string> = new Set(['emojiset', 'web_animate_image_previews', 'web_home_view']);

/** One parameter per setting. */
function changeable<Properties extends TProperties>(settings: Properties): Changeable<Properties> {
  const parameters = Object.entries(settings).map(([name, schema]) => {
    return [name, optional(schema, SAY_WHY.has(name) ? { saysWhy: true } : {})];
  });
  // The entries and the type come from the same names.
  return Object.fromEntries(parameters) as Changeable<Properties>;
}

/** Clients of feature level 454 and later send `recent` instead of `recent_topics`. The server always returns `recent_topics`. */
const displayParameters = {
  ...displaySettings,
  web_home_view: oneOf(
    ['recent_topics', 'recent', 'inbox', 'all_messages'],
    '`recent` is another name of `recent_topics`',
  ),
};

const ownSettings = {
  full_name: optional(text({ maxLength: 1000 }), {
    description: 'Ignored if the organization does not allow members to change names',
  }),
  email: optional(text({ maxLength: 1000 }), {
    description: 'The address changes after the user confirms the link in a mail to it',
  }),
  old_password: optional(text({ maxLength: 1000 }), { description: 'Required for a new password' }),
  new_password: optional(text({ maxLength: 1000 }), {
    description: 'Ends all other sessions. The API key does not change',
  }),
  ...changeable({ ...displayParameters, ...notificationSettings, ...otherSettings }),
};

const common = {
  method: 'PATCH',
  area: AREA,
  authentication: 'required',
  response: Type.Object({}),
} as const;

export const updateSettings = defineEndpoint({
  ...common,
  operationId: 'update-settings',
  path: '/settings',
  summary: 'Change the settings of the caller',
  description:
    'Not for bots. The request succeeds or fails as a whole. For settings of features that Heddle does not have, the server stores harmless ' +
    'values. It refuses a change on which clients would rely.',
  parameters: ownSettings,
  errors: [],
});

const older = {
  ...common,
  description: 'The same as `PATCH /settings` for older clients.',
  parameters: ownSettings,
  errors: [],
  deprecated: true,
} as const;

export const updateDisplaySettings = defineEndpoint({
  ...older,
  operationId: 'update-display-settings',
  path: '/settings/display',
  summary: 'Change the settings of the caller (older path)',
});

export const updateNotificationSettings = defineEndpoint({
  ...older,
  operationId: 'update-notification-settings',
  path: '/settings/notifications',
  summary: 'Change the settings of the caller (another older path)',
});

const { timezone: _, default_language: __, ...sharedDisplaySettings } = displayParameters;
const { enable_login_emails: ___, enable_marketing_emails: ____, ...sharedNotificationSettings } = notificationSettings;
const { allow_private_data_export: _____, ...sharedOtherSettings } = otherSettings;

export const updateSettingsDefaults = defineEndpoint({
  ...common,
  operationId: 'update-realm-user-settings-defaults',
  path: '/realm/user_settings_defaults',
  summary: 'Change the default settings of new accounts',
  description: 'Only for administrators. Existing accounts do not change. The request succeeds or fails as a whole.',
  parameters: changeable({ ...sharedDisplaySettings, ...sharedNotificationSettings, ...sharedOtherSettings }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
