/**
 * What clients know about permissions and settings: which permissions guests can have, and who can change what. Copied
 * from the contract and the server, because this package has nothing of them at run time. A test compares the copies.
 */

import type { CHANNEL_SETTINGS } from '../channel-settings.ts';
import type { ChannelPermission } from '../channels/channel-record.ts';
import type { OrganizationPermission } from '../organization.ts';
import type { GroupPermission } from '../people/groups.ts';

/** Permissions of the organization that guests can have. They get no others, whatever groups they are in. */
export const GUEST_ORGANIZATION_PERMISSIONS: ReadonlySet<string> = new Set<OrganizationPermission>([
  'can_access_all_users_group',
  'can_delete_own_message_group',
  'can_mention_many_users_group',
  'can_move_messages_between_topics_group',
  'can_pin_messages_group',
  'can_resolve_topics_group',
  'can_set_topics_policy_group',
  'can_summarize_topics_group',
  'direct_message_initiator_group',
  'direct_message_permission_group',
]);

/** Permissions of a channel that guests can have. */
export const GUEST_CHANNEL_PERMISSIONS: ReadonlySet<string> = new Set<ChannelPermission>([
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
]);

/** Permissions of a group that guests can have. */
export const GUEST_GROUP_PERMISSIONS: ReadonlySet<string> = new Set<GroupPermission>([
  'can_leave_group',
  'can_mention_group',
]);

/** The settings of the organization that only owners can change. Administrators can change the others. */
export const OWNER_SETTINGS: ReadonlySet<string> = new Set([
  'create_multiuse_invite_group',
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'waiting_period_threshold',
]);

/** What a user needs to change a setting of a channel. */
export type ChannelRequirement =
  | 'owner'
  | 'administrator'
  | 'channel-administrator'
  | 'content-access'
  | 'deletion-policy'
  | 'topics-policy';

/** The settings of a channel. `privacy` stands for all settings that decide who sees the channel. */
export type ChannelSetting =
  | ChannelPermission
  | keyof typeof CHANNEL_SETTINGS
  | 'name'
  | 'description'
  | 'archived'
  | 'privacy'
  | 'default';

/** A user must meet all requirements of a setting. Settings that are not listed need `channel-administrator` only. */
export const CHANNEL_REQUIREMENTS: Readonly<Partial<Record<ChannelSetting, readonly ChannelRequirement[]>>> = {
  privacy: ['channel-administrator', 'content-access'],
  default: ['administrator'],
  message_retention_days: ['channel-administrator', 'owner'],
  topics_policy: ['channel-administrator', 'topics-policy'],
  can_add_subscribers_group: ['channel-administrator', 'content-access'],
  can_subscribe_group: ['channel-administrator', 'content-access'],
  can_delete_any_message_group: ['channel-administrator', 'deletion-policy'],
  can_delete_own_message_group: ['channel-administrator', 'deletion-policy'],
};
