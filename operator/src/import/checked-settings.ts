/** Settings of archives. The server reads them in SQL, for all organizations at once, and does not check them again. */
import { updateOrganization } from '@heddle/api/endpoints/organizations.ts';
import { displaySettings, notificationSettings, otherSettings } from '@heddle/api/objects/user-settings.ts';
import { PLAIN_SETTINGS, type PlainSettingName, wireNameOf } from '@heddle/server/access/organization-settings.ts';
import { checkedSettings } from '@heddle/server/domain/accounts/own-settings/checking.ts';
import { checkedValue, type GivenValue } from '@heddle/server/domain/organizations/organizations/setting-values.ts';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { accepted } from './mended-names.ts';
import type { ImportReport } from './report.ts';

const SCHEMAS: Readonly<Record<string, TSchema>> = { ...displaySettings, ...notificationSettings, ...otherSettings };
const PLAIN: Readonly<Record<string, { readonly default: unknown }>> = PLAIN_SETTINGS;

const OF_USERS = 'Settings of users that are not valid here: they have their defaults';
const OF_ORGANIZATION = 'Settings of the organization that are not valid here: they have their defaults';

/** Whether a user can have this value of the setting. */
export function isUserSetting(name: string, value: unknown): boolean {
  const schema = SCHEMAS[name];
  if (schema === undefined || !Value.Check(schema, value)) return false;
  try {
    checkedSettings({ [name]: value });
    return true;
  } catch {
    return false;
  }
}

/** The valid settings of a user. The report names the others. */
export function validUserSettings(given: object, report: ImportReport): object {
  return valid(given, isUserSetting, (name, value) => report.skip(OF_USERS, `${name} = ${JSON.stringify(value)}`));
}

/** The valid settings of the organization, and its permissions as they are. */
export function validOrganizationSettings(given: object, report: ImportReport): object {
  return valid(given, isOrganizationSetting, (name) => report.skip(OF_ORGANIZATION, name));
}

function valid(
  given: object,
  isValid: (name: string, value: unknown) => boolean,
  refuse: (name: string, value: unknown) => void,
): object {
  const entries = Object.entries(given).filter(([name, value]) => {
    const isKept = isValid(name, value);
    if (!isKept) refuse(name, value);
    return isKept;
  });
  return Object.fromEntries(entries);
}

const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  topics_policy: ['allow_empty_topic', 'disable_empty_topic'],
  message_edit_history_visibility_policy: ['all', 'moves', 'none'],
};
const MAX_TEXT_LENGTH = 8_000;
/** No limit, no channel, or kept forever. */
const UNLIMITED_ID = -1;

function isOrganizationSetting(name: string, value: unknown): boolean {
  if (!Object.hasOwn(PLAIN, name)) return true;
  const words = WORDS[name];
  if (words !== undefined) return words.includes(value);
  if (!isAccepted(name as PlainSettingName, value)) return false;
  const first = PLAIN[name]?.default;
  if (typeof first === 'boolean') return typeof value === 'boolean';
  const isText = typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && !value.includes('\0');
  if (typeof first === 'string') return isText;
  return value === null || isInteger(value) || (first === null && isText);
}

const PARAMETERS: Readonly<Record<string, { readonly schema: TSchema } | undefined>> = updateOrganization.parameters;

/** As `PATCH /realm` would store it. Its parameter can have another value for "none". */
function isAccepted(name: PlainSettingName, value: unknown): boolean {
  if (value === PLAIN[name]?.default || value === null || value === UNLIMITED_ID) return true;
  const parameter = PARAMETERS[wireNameOf(name)];
  if (parameter !== undefined && !Value.Check(parameter.schema, value)) return false;
  return accepted(() => checkedValue(name, value as GivenValue)) !== undefined;
}

function isInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= UNLIMITED_ID && value < 2 ** 31;
}
