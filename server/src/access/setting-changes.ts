/** Who may change which setting (public reference: `PATCH /realm`, `PATCH /streams/{stream_id}`, "Channel permissions"). */
import { type ApiError, badRequest, unauthorizedPrincipal } from '@heddle/api/errors.ts';
import { CHANNEL_PERMISSIONS, type Requirement } from '@heddle/api/permissions.ts';
import type { Directory } from '../directory/directory.ts';
import { type ChannelGroupSetting, type ChannelRecord, Role, type UserRecord } from '../directory/records.ts';
import { channelRefusal, contentAccess } from './channels.ts';
import {
  changersOf,
  hasPermission,
  isFixedToday,
  type OrganizationSettingName,
  wireNameOf,
} from './organization-settings.ts';

/** A channel's settings other than permissions, by their names in the record: all that is listed is needed to change one. */
const PLAIN_CHANNEL_SETTINGS = {
  name: ['channel-administrator'],
  description: ['channel-administrator'],
  folderId: ['channel-administrator'],
  isArchived: ['channel-administrator'],
  /** Stands for all that says who sees the channel: public or private, web-public, shared history. */
  isPrivate: ['channel-administrator', 'content-access'],
  isDefault: ['administrator'],
  messageRetentionDays: ['channel-administrator', 'owner'],
  topicsPolicy: ['channel-administrator', 'topics-policy'],
} as const satisfies { readonly [Name in keyof ChannelRecord]?: readonly Requirement[] };

export type ChannelSetting = keyof typeof PLAIN_CHANNEL_SETTINGS | ChannelGroupSetting;

/** Why the user may not change this setting of the organization; undefined where they may. */
export function organizationSettingRefusal(user: UserRecord, name: OrganizationSettingName): ApiError | undefined {
  for (const requirement of changersOf(name)) {
    const refusal = roleRefusal(user, requirement);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Why nobody can change the setting yet; undefined where Heddle has what it is about. */
export function missingFeatureRefusal(name: OrganizationSettingName): ApiError | undefined {
  if (!isFixedToday(name)) return undefined;
  return badRequest(`'${wireNameOf(name)}' cannot be changed: this server does not have that feature yet.`);
}

/** Why the user may not change this setting of a channel that they know; undefined where they may. */
export function channelSettingRefusal(
  directory: Directory,
  user: UserRecord,
  setting: ChannelSetting,
  channel: ChannelRecord,
): ApiError | undefined {
  for (const requirement of requirementsOf(setting)) {
    const refusal = ofExistingChannel(directory, user, requirement, channel) ?? beyond(directory, user, requirement);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The same for a channel that the user creates: they may choose whatever its administrators may. */
export function newChannelSettingRefusal(
  directory: Directory,
  user: UserRecord,
  setting: ChannelSetting,
): ApiError | undefined {
  for (const requirement of requirementsOf(setting)) {
    const refusal = beyond(directory, user, requirement);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function requirementsOf(setting: ChannelSetting): readonly Requirement[] {
  if (isPlain(setting)) return PLAIN_CHANNEL_SETTINGS[setting];
  return CHANNEL_PERMISSIONS[`${setting}_group`].changedBy;
}

function isPlain(setting: ChannelSetting): setting is keyof typeof PLAIN_CHANNEL_SETTINGS {
  return Object.hasOwn(PLAIN_CHANNEL_SETTINGS, setting);
}

/** What whoever creates a channel fulfils by that. */
function ofExistingChannel(
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

/** What nobody fulfils by administering or creating a channel. */
function beyond(directory: Directory, user: UserRecord, requirement: Requirement): ApiError | undefined {
  switch (requirement) {
    case 'administrator':
      return user.role <= Role.administrator ? undefined : badRequest('Insufficient permission');
    case 'topics-policy':
      return lacking(directory, user, 'can_set_topics_policy_group');
    case 'deletion-policy':
      return lacking(directory, user, 'can_set_delete_message_policy_group');
    default:
      return roleRefusal(user, requirement);
  }
}

/** Administrators decide about topics and deletion whoever else may. */
function lacking(
  directory: Directory,
  user: UserRecord,
  permission: 'can_set_topics_policy_group' | 'can_set_delete_message_policy_group',
): ApiError | undefined {
  const may = user.role <= Role.administrator || hasPermission(directory, user, permission);
  return may ? undefined : badRequest('Insufficient permission');
}

/** Why the user is not what the requirement asks for; undefined where they are, or it asks for no role. */
export function roleRefusal(user: UserRecord, requirement: Requirement): ApiError | undefined {
  if (requirement === 'owner' && user.role > Role.owner) return unauthorizedPrincipal('Must be an organization owner');
  if (requirement === 'administrator' && user.role > Role.administrator) {
    return unauthorizedPrincipal('Must be an organization administrator');
  }
  return undefined;
}
