/** The settings of a subscription (`api/src/subscription-settings.ts`) in rows and in events. */
import {
  eachSubscriptionSetting,
  SUBSCRIPTION_SETTING_NAMES,
  type SubscriptionSettingName,
  type SubscriptionSettings,
} from '@heddle/api/subscription-settings.ts';
import { type CamelCase, camelCase } from '../../directory/camel-case.ts';

/** The settings in bodies of events, which the log keeps. They stay when a subscription ends, so a later one has them again. */
export type LoggedSettings = {
  readonly [Name in SubscriptionSettingName as CamelCase<Name>]: SubscriptionSettings[Name];
};

const DEFAULTS: SubscriptionSettings = eachSubscriptionSetting('default');
const FIELDS = SUBSCRIPTION_SETTING_NAMES.map((name) => ({ name, field: camelCase(name) }));

export function newSubscriptionSettings(color: string): SubscriptionSettings {
  return { ...DEFAULTS, color };
}

export function loggedSettings(settings: SubscriptionSettings): LoggedSettings {
  return Object.fromEntries(FIELDS.map(({ name, field }) => [field, settings[name]])) as unknown as LoggedSettings;
}

/** An event of an older version can lack a setting, which then has its default. */
export function settingsInLog(logged: Partial<LoggedSettings>): SubscriptionSettings {
  const entries = FIELDS.map(({ name, field }) => {
    const value = logged[field];
    return [name, value === undefined ? DEFAULTS[name] : value] as const;
  });
  return Object.fromEntries(entries) as unknown as SubscriptionSettings;
}
