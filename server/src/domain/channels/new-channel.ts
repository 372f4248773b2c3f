import type { Parameters } from '@heddle/api/contract.ts';
import type { createChannel } from '@heddle/api/endpoints/channels.ts';
import { badRequest, badValue } from '@heddle/api/errors.ts';
import { CHANNEL_PERMISSIONS } from '@heddle/api/permissions.ts';
import { type ChannelKind, channelCreationRefusal } from '../../access/channels.ts';
import { canonicalSetting, defaultGroupSetting } from '../../access/group-settings.ts';
import { type ChannelSetting, newChannelSettingRefusal } from '../../access/setting-changes.ts';
import type { Directory } from '../../directory/directory.ts';
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSetting,
  type GroupSetting,
  isSameSetting,
  type UserRecord,
} from '../../directory/records.ts';
import { chosenGroupSettings } from './group-settings.ts';

/** The settings in a request that creates channels, without their names and descriptions. */
export type NewChannelParameters = Omit<Parameters<typeof createChannel>, 'name' | 'description' | 'subscribers'>;

/**
 * Returns the settings of new channels, as records name them.
 * @throws ApiError if the caller may not create such channels, or may not choose one of the settings
 */
export function newChannelSettings(directory: Directory, caller: UserRecord, parameters: NewChannelParameters) {
  const { invite_only: isPrivate, is_web_public: isWebPublic, is_default_stream: isDefault } = parameters;
  if (isPrivate && isWebPublic) throw badRequest('Invalid parameters');
  refuse(channelCreationRefusal(directory, caller, kindOf(isPrivate, isWebPublic)));
  const given = parameters.message_retention_days;
  const topicsPolicy = parameters.topics_policy ?? 'inherit';
  const groupSettings = chosenGroupSettings(parameters);

  const chosen: ChannelSetting[] = CHANNEL_GROUP_SETTINGS.filter((key) =>
    isChosen(directory, key, groupSettings[key], caller),
  );
  if (isDefault) chosen.push('isDefault');
  if (given !== undefined && given !== 'realm_default') chosen.push('messageRetentionDays');
  if (topicsPolicy !== 'inherit') chosen.push('topicsPolicy');
  for (const setting of chosen) refuse(newChannelSettingRefusal(directory, caller, setting));
  const messageRetentionDays = given === undefined ? null : retentionDays(given);

  const historyPublicToSubscribers = parameters.history_public_to_subscribers;
  return {
    isPrivate,
    isWebPublic,
    isDefault,
    messageRetentionDays,
    topicsPolicy,
    folderId: parameters.folder_id ?? null,
    groupSettings,
    ...(historyPublicToSubscribers === undefined ? {} : { historyPublicToSubscribers }),
  };
}

/** Clients send all permissions of a new channel. A value equal to the default needs no special permission. */
function isChosen(
  directory: Directory,
  key: ChannelGroupSetting,
  value: GroupSetting | undefined,
  creator: UserRecord,
): boolean {
  const standard = defaultGroupSetting(directory, CHANNEL_PERMISSIONS[`${key}_group`], creator.id);
  return value !== undefined && !isSameSetting(canonicalSetting(directory, value), standard);
}

function refuse(refusal: Error | undefined): void {
  if (refusal !== undefined) throw refusal;
}

function kindOf(isPrivate: boolean, isWebPublic: boolean): ChannelKind {
  if (isWebPublic) return 'web-public';
  return isPrivate ? 'private' : 'public';
}

/** The largest value of a 32-bit integer, in PostgreSQL and most clients. */
const MAX_DAYS = 2_147_483_647;

/**
 * Converts the retention of a request to days. Null: the organization's setting; -1: forever.
 * @throws ApiError `REQUEST_VARIABLE_INVALID`: invalid value
 */
export function retentionDays(value: string | number): number | null {
  if (value === 'realm_default') return null;
  if (value === 'unlimited') return -1;
  if (typeof value === 'number' && value >= 1 && value <= MAX_DAYS) return value;
  throw badValue('message_retention_days', value);
}
