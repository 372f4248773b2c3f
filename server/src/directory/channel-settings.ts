/** The plain settings of channels (`api/src/channel-settings.ts`) in records. */
import {
  PLAIN_CHANNEL_SETTING_NAMES,
  PLAIN_CHANNEL_SETTINGS,
  type PlainChannelSetting,
  type PlainChannelSettings,
} from '@heddle/api/channel-settings.ts';
import { type CamelCase, camelCase } from './camel-case.ts';

/** The field of a setting in records. State deltas in the log have these names. */
export type PlainChannelField = CamelCase<PlainChannelSetting>;

/** The plain settings as fields of a record. */
export type PlainChannelFields = {
  readonly [Name in PlainChannelSetting as CamelCase<Name>]: PlainChannelSettings[Name];
};

interface PlainSetting {
  readonly name: PlainChannelSetting;
  readonly field: PlainChannelField;
}

/** All plain settings, in the order of the table. */
export const PLAIN_CHANNEL_FIELDS: readonly PlainSetting[] = PLAIN_CHANNEL_SETTING_NAMES.map((name) => ({
  name,
  field: camelCase(name),
}));

// TypeScript cannot relate names, fields and values in a loop. So these functions state their results.

export function plainFields(row: PlainChannelSettings): PlainChannelFields {
  const fields: Partial<Record<PlainChannelField, unknown>> = {};
  for (const { name, field } of PLAIN_CHANNEL_FIELDS) fields[field] = row[name];
  return fields as PlainChannelFields;
}

/**
 * A changed record. A process of an older version leaves out settings that it does not know, and they stay as they were.
 */
export function withKnownSettings<Channel extends PlainChannelFields>(changed: Channel, before: Channel): Channel {
  const isWhole = PLAIN_CHANNEL_FIELDS.every(({ field }) => changed[field] !== undefined);
  return isWhole ? changed : { ...changed, ...plainFields(plainSettings({ ...before, ...changed })) };
}

/**
 * The settings by their names in the database and in the API. A record of a log that an older version wrote can lack a
 * setting, which then has its default.
 */
export function plainSettings(channel: Partial<PlainChannelFields>): PlainChannelSettings {
  const settings: Partial<Record<PlainChannelSetting, unknown>> = {};
  for (const { name, field } of PLAIN_CHANNEL_FIELDS) {
    const value = channel[field];
    settings[name] = value === undefined ? PLAIN_CHANNEL_SETTINGS[name].default : value;
  }
  return settings as PlainChannelSettings;
}
