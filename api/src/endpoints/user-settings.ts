import Type, { type TProperties } from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, optional, type Parameter } from '../contract.ts';
import { displaySettings, notificationSettings, otherSettings } from '../objects/user-settings.ts';

const AREA = 'Settings';

type Changeable<Properties extends TProperties> = {
  [Name in keyof Properties]: Parameter<Properties[Name], 'optional'>;
};

/** A parameter for each setting. */
function changeable<Properties extends TProperties>(settings: Properties): Changeable<Properties> {
  const parameters = Object.entries(settings).map(([name, schema]) => [name, optional(schema)]);
  // Made from the same names as the type.
  return Object.fromEntries(parameters) as Changeable<Properties>;
}

const ownSettings = {
  full_name: optional(text({ maxLength: 1000 }), {
    description: 'Stays as it is where the organization keeps its members from changing names',
  }),
  email: optional(text({ maxLength: 1000 }), {
    description: 'Changes when the link is opened that is sent there by mail',
  }),
  old_password: optional(text({ maxLength: 1000 }), { description: 'Needed for a new one' }),
  new_password: optional(text({ maxLength: 1000 }), {
    description: 'Ends the sessions of all browsers but the one that asks; the API key stays',
  }),
  ...changeable({ ...displaySettings, ...notificationSettings, ...otherSettings }),
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
  summary: "Change the caller's settings",
  description:
    'For people, not for bots. All of it happens or nothing. A setting whose feature this server does not have yet is refused where clients ' +
    'would rely on it, unless it is set to what it is; the others are kept until the feature comes.',
  parameters: ownSettings,
  errors: [],
});

const older = {
  ...common,
  description: 'The same as `PATCH /settings`, for older clients.',
  parameters: ownSettings,
  errors: [],
  deprecated: true,
} as const;

export const updateDisplaySettings = defineEndpoint({
  ...older,
  operationId: 'update-display-settings',
  path: '/settings/display',
  summary: "Change the caller's settings, by an older path",
});

export const updateNotificationSettings = defineEndpoint({
  ...older,
  operationId: 'update-notification-settings',
  path: '/settings/notifications',
  summary: "Change the caller's settings, by another older path",
});

const { timezone: _, default_language: __, ...sharedDisplaySettings } = displaySettings;
const { enable_login_emails: ___, enable_marketing_emails: ____, ...sharedNotificationSettings } = notificationSettings;
const { allow_private_data_export: _____, ...sharedOtherSettings } = otherSettings;

export const updateSettingsDefaults = defineEndpoint({
  ...common,
  operationId: 'update-realm-user-settings-defaults',
  path: '/realm/user_settings_defaults',
  summary: 'Change the settings that new accounts begin with',
  description: 'For administrators. Accounts that are there keep theirs. All of it happens or nothing.',
  parameters: changeable({ ...sharedDisplaySettings, ...sharedNotificationSettings, ...sharedOtherSettings }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
