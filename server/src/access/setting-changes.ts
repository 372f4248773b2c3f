/**
 * Who may change which setting (public reference: `PATCH /realm`, `PATCH /streams/{stream_id}`, "Channel permissions").
 */
import { PLAIN_CHANNEL_SETTINGS, type PlainChannelSetting } from '@heddle/api/channel-settings.ts';
import { type ApiError, badRequest, unauthorizedPrincipal } from '@heddle/api/errors.ts';
import { CHANNEL_PERMISSIONS, type Requirement } from '@heddle/api/permissions.ts';
import type { Directory } from '../directory/directory.ts';
import { type ChannelGroupSetting, type ChannelRecord, Role, type UserRecord } from '../directory/records.ts';
import { channelRefusal, contentAccess } from './channels.ts';
import {
  changersOf,
  hasPermission,
  isFixedUntilImplemented,
  type OrganizationSettingName,
  wireNameOf,
} from './organization-settings.ts';

/**
 * The settings of channels that are neither plain nor permissions, by their names in the record. A user must meet all
 * listed requirements.
 */
const OTHER_CHANNEL_SETTINGS = {
  name: ['channel-administrator'],
  description: ['channel-administrator'],
  isArchived: ['channel-administrator'],
  /** Stands for all settings that decide who sees the channel: private, web-public, shared history. */
  isPrivate: ['channel-administrator', 'content-access'],
  isDefault: ['administrator'],
} as const satisfies { readonly [Name in keyof ChannelRecord]?: readonly Requirement[] };

export type ChannelSetting = keyof typeof OTHER_CHANNEL_SETTINGS | PlainChannelSetting | ChannelGroupSetting;

/** Returns why the user may not change this setting of the organization; undefined if they may. */
export function organizationSettingRefusal(user: UserRecord, name: OrganizationSettingName): ApiError | undefined {
  for (const requirement of changersOf(name)) {
    const refusal = roleRefusal(user, requirement);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Returns why the setting cannot be changed yet; undefined if Heddle implements its feature. */
export function missingFeatureRefusal(name: OrganizationSettingName): ApiError | undefined {
  if (!isFixedUntilImplemented(name)) return undefined;
  return badRequest(`'${wireNameOf(name)}' cannot be changed: this server does not have that feature yet.`);
}

/**
 * Returns why the user may not change this setting of a channel whose metadata they can access; undefined if they may.
 */
export function channelSettingRefusal(
  directory: Directory,
  user: UserRecord,
  setting: ChannelSetting,
  channel: ChannelRecord,
): ApiError | undefined {
  for (const requirement of requirementsOf(setting)) {
    const refusal =
      existingChannelRefusal(directory, user, requirement, channel) ?? otherRefusal(directory, user, requirement);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The same for a channel that the user is creating. They may choose everything that its administrators may. */
export function newChannelSettingRefusal(
  directory: Directory,
  user: UserRecord,
  setting: ChannelSetting,
): ApiError | undefined {
  for (const requirement of requirementsOf(setting)) {
    const refusal = otherRefusal(directory, user, requirement);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function requirementsOf(setting: ChannelSetting): readonly Requirement[] {
  if (isPlain(setting)) return PLAIN_CHANNEL_SETTINGS[setting].changedBy;
  if (isOther(setting)) return OTHER_CHANNEL_SETTINGS[setting];
  return CHANNEL_PERMISSIONS[`${setting}_group`].changedBy;
}

function isPlain(setting: ChannelSetting): setting is PlainChannelSetting {
  return Object.hasOwn(PLAIN_CHANNEL_SETTINGS, setting);
}

function isOther(setting: ChannelSetting): setting is keyof typeof OTHER_CHANNEL_SETTINGS {
  return Object.hasOwn(OTHER_CHANNEL_SETTINGS, setting);
}

/** Checks the requirements that the creator of a channel always meets. */
function existingChannelRefusal(
  directory: Directory,
  user: UserRecord,
  requirement: Requirement,
  channel: ChannelRecord,
): ApiError | undefined {
  if (requirement === 'channel-administrator') return channelRefusal(directory, user, channel, 'administer');
  if (requirement === 'administrator' && user.role > Role.administrator) {
    return badRequest('You do not have permission to change default channels.');
  }
  if (requirement !== 'content-access' || contentAccess(directory, user, channel) !== 'none') return undefined;
  return badRequest('Channel content access is required.');
}

/** Checks the requirements that creating or administering a channel does not meet. */
function otherRefusal(directory: Directory, user: UserRecord, requirement: Requirement): ApiError | undefined {
  switch (requirement) {
    case 'administrator':
      return user.role <= Role.administrator ? undefined : badRequest('Insufficient permission');
    case 'topics-policy':
      return missingPermission(directory, user, 'can_set_topics_policy_group');
    case 'deletion-policy':
      return missingPermission(directory, user, 'can_set_delete_message_policy_group');
    default:
      return roleRefusal(user, requirement);
  }
}

/** Administrators may always decide about topics and deletion. */
function missingPermission(
  directory: Directory,
  user: UserRecord,
  permission: 'can_set_topics_policy_group' | 'can_set_delete_message_policy_group',
): ApiError | undefined {
  const may = user.role <= Role.administrator || hasPermission(directory, user, permission);
  return may ? undefined : badRequest('Insufficient permission');
}

/**
 * Returns why the user's role does not meet the requirement; undefined if it does, or if the requirement is not about a
 * role.
 */
export function roleRefusal(user: UserRecord, requirement: Requirement): ApiError | undefined {
  if (requirement === 'owner' && user.role > Role.owner) return unauthorizedPrincipal('Must be an organization owner');
  if (requirement === 'administrator' && user.role > Role.administrator) {
    return unauthorizedPrincipal('Must be an organization administrator');
  }
  return undefined;
}
