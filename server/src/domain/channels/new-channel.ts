import type { Parameters } from '@heddle/api/contract.ts';
import type { createChannel } from '@heddle/api/endpoints/channels.ts';
import { badRequest } from '@heddle/api/errors.ts';
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
import { chosenPlainSettings, requestedPlainFields } from './plain-settings.ts';

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
  const groupSettings = chosenGroupSettings(parameters);

  const chosen: ChannelSetting[] = CHANNEL_GROUP_SETTINGS.filter((key) =>
    isChosen(directory, key, groupSettings[key], caller),
  );
  if (isDefault) chosen.push('isDefault');
  chosen.push(...chosenPlainSettings(parameters));
  for (const setting of chosen) refuse(newChannelSettingRefusal(directory, caller, setting));

  const historyPublicToSubscribers = parameters.history_public_to_subscribers;
  return {
    isPrivate,
    isWebPublic,
    isDefault,
    ...requestedPlainFields(parameters, {}),
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
