/** The plain settings of channels (`api/src/channel-settings.ts`) in requests. */
import {
  PLAIN_CHANNEL_SETTING_NAMES,
  PLAIN_CHANNEL_SETTINGS,
  type PlainChannelSetting,
  type PlainChannelSettings,
} from '@heddle/api/channel-settings.ts';
import type { Parameters } from '@heddle/api/contract.ts';
import type { createChannel, updateChannel } from '@heddle/api/endpoints/channels.ts';
import { badValue } from '@heddle/api/errors.ts';
import { type PlainChannelFields, plainFields, plainSettings } from '../../directory/channel-settings.ts';

type NewParameters = Pick<Parameters<typeof createChannel>, PlainChannelSetting>;
type ChangeParameters = Pick<Parameters<typeof updateChannel>, PlainChannelSetting>;
type GivenValue = Exclude<(NewParameters | ChangeParameters)[PlainChannelSetting], undefined>;

/** The settings of a new channel for which the creator needs a permission: all that are not the default. */
export function chosenPlainSettings(parameters: NewParameters): readonly PlainChannelSetting[] {
  return PLAIN_CHANNEL_SETTING_NAMES.filter((name) => parameters[name] !== undefined && !isDefault(name, parameters));
}

/** The settings that a request changes, and that need a permission of their own. */
export function givenPlainSettings(parameters: ChangeParameters): readonly PlainChannelSetting[] {
  return PLAIN_CHANNEL_SETTING_NAMES.filter((name) => {
    const isFree = PLAIN_CHANNEL_SETTINGS[name].isResetByAdministrators && isDefault(name, parameters);
    return parameters[name] !== undefined && !isFree;
  });
}

function isDefault(name: PlainChannelSetting, parameters: NewParameters | ChangeParameters): boolean {
  return parameters[name] === PLAIN_CHANNEL_SETTINGS[name].defaultInRequests;
}

/**
 * The settings after a request, as records have them.
 * @param before the settings before; of a new channel `{}`
 * @throws ApiError `REQUEST_VARIABLE_INVALID`: invalid value
 */
export function requestedPlainFields(
  parameters: NewParameters | ChangeParameters,
  before: Partial<PlainChannelFields>,
): PlainChannelFields {
  const settings: Record<PlainChannelSetting, unknown> = { ...plainSettings(before) };
  for (const name of PLAIN_CHANNEL_SETTING_NAMES) {
    const given = parameters[name];
    if (given !== undefined) settings[name] = storedValue(name, given);
  }
  return plainFields(settings as PlainChannelSettings);
}

/** The value of a parameter as it is stored. A setting has a case if its type does not say which values are valid. */
function storedValue(name: PlainChannelSetting, given: GivenValue): GivenValue {
  switch (name) {
    case 'message_retention_days':
      return retentionDays(given);
    default:
      return given;
  }
}

/** The largest value of a 32-bit integer, in PostgreSQL and most clients. */
const MAX_RETENTION_DAYS = 2_147_483_647;

function retentionDays(given: GivenValue): number | null {
  if (given === 'realm_default') return null;
  if (given === 'unlimited') return -1;
  if (typeof given === 'number' && given >= 1 && given <= MAX_RETENTION_DAYS) return given;
  throw badValue('message_retention_days', typeof given === 'number' ? given : String(given));
}
