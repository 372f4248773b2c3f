/**
 * A user's own settings of a subscription. Fields, records, statements and exports follow from this table, and so do the checks of
 * `POST /users/me/subscriptions/properties`.
 */
import Type, { type Static, type TSchema } from 'typebox';

/** One setting. Its name is the name of its field, its property in requests and events, and its column. */
interface SubscriptionSetting<Value extends TSchema> {
  /** The value in objects and events, and as it is stored. */
  readonly value: Value;
  /** The type of the column. */
  readonly column: 'text' | 'boolean';
  /** The value of a new subscription. */
  readonly default: Static<Value>;
  /** The setting of the user that applies while the value is null. */
  readonly general?: string;
}

function setting<Value extends TSchema, Options extends Omit<SubscriptionSetting<Value>, 'value'>>(
  value: Value,
  options: Options & Omit<SubscriptionSetting<Value>, 'value'>,
): { readonly value: Value } & Options {
  return { value, ...options };
}

function notification<General extends string>(general: General) {
  const value = Type.Union([Type.Boolean(), Type.Null()]);
  return setting(value, { column: 'boolean', default: null, general } as const);
}

export const SUBSCRIPTION_SETTINGS = {
  /** As `#76ce90`, lower case. The server chooses another color for each new subscription. */
  color: setting(Type.String(), { column: 'text', default: '#c2c2c2' } as const),
  is_muted: setting(Type.Boolean(), { column: 'boolean', default: false } as const),
  pin_to_top: setting(Type.Boolean(), { column: 'boolean', default: false } as const),
  desktop_notifications: notification('enable_stream_desktop_notifications'),
  audible_notifications: notification('enable_stream_audible_notifications'),
  push_notifications: notification('enable_stream_push_notifications'),
  email_notifications: notification('enable_stream_email_notifications'),
  wildcard_mentions_notify: notification('wildcard_mentions_notify'),
} as const;

type Settings = typeof SUBSCRIPTION_SETTINGS;
export type SubscriptionSettingName = keyof Settings;

/** The values of all settings, by their names. */
export type SubscriptionSettings = { readonly [Name in SubscriptionSettingName]: Static<Settings[Name]['value']> };

export const SUBSCRIPTION_SETTING_NAMES = Object.keys(SUBSCRIPTION_SETTINGS) as readonly SubscriptionSettingName[];

/** One column of the table, by the names of the settings. */
export function eachSubscriptionSetting<Column extends 'value' | 'default'>(
  column: Column,
): { [Name in SubscriptionSettingName]: Settings[Name][Column] } {
  const entries = SUBSCRIPTION_SETTING_NAMES.map((name) => [name, SUBSCRIPTION_SETTINGS[name][column]]);
  return Object.fromEntries(entries) as { [Name in SubscriptionSettingName]: Settings[Name][Column] };
}
