import { activeOnly, presentGroupSetting } from '../../../access/group-settings.ts';
import {
  ORGANIZATION_SETTING_NAMES,
  type OrganizationSettingName,
  organizationSetting,
  wireNameOf,
} from '../../../access/organization-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import { type GroupSetting, SystemGroup } from '../../../directory/records.ts';

/** Settings by their names in the API without `realm_`, in the format of the initial state and of events. */
export type WireSettings = Readonly<Record<string, unknown>>;

/** All settings of the organization, including the fields that older clients read instead. */
export function presentAllSettings(directory: Directory): WireSettings {
  const fields: Record<string, unknown> = {};
  for (const name of ORGANIZATION_SETTING_NAMES) {
    Object.assign(fields, presentSetting(directory, name, organizationSetting(directory, name)));
  }
  return fields;
}

/** A setting with this value, including the fields that older clients read instead. */
export function presentSetting(directory: Directory, name: OrganizationSettingName, value: unknown): WireSettings {
  return { [wireNameOf(name)]: presentValue(directory, value), ...outdated(directory, name, value) };
}

/** Deactivated accounts are left out of permissions. */
export function presentValue(directory: Directory, value: unknown): unknown {
  return isNamedDirectly(value) ? presentGroupSetting(activeOnly(directory, value)) : value;
}

type DirectGroupSetting = Exclude<GroupSetting, number>;

function isNamedDirectly(value: unknown): value is DirectGroupSetting {
  return typeof value === 'object' && value !== null && 'directMembers' in value;
}

/** Deprecated fields that follow from the setting. */
function outdated(directory: Directory, name: OrganizationSettingName, value: unknown): WireSettings {
  switch (name) {
    case 'message_edit_history_visibility_policy':
      return { allow_edit_history: value !== 'none' };
    case 'topics_policy':
      return { mandatory_topics: value === 'disable_empty_topic' };
    case 'can_create_public_channel_group':
      return { create_public_stream_policy: policyOf(directory, value, CREATE_CHANNEL_POLICIES) };
    case 'can_create_private_channel_group':
      return { create_private_stream_policy: policyOf(directory, value, CREATE_CHANNEL_POLICIES) };
    case 'can_create_web_public_channel_group':
      return { create_web_public_stream_policy: policyOf(directory, value, WEB_PUBLIC_CHANNEL_POLICIES) };
    case 'can_mention_many_users_group':
      return { wildcard_mention_policy: policyOf(directory, value, MENTION_POLICIES) };
    default:
      return {};
  }
}

const { nobody, owners, administrators, moderators, fullMembers, members, everyone } = SystemGroup;

/**
 * The numbers of a policy by system group, the smallest group first. The last number stands for all groups without one.
 */
type Policies = readonly (readonly [SystemGroup, number])[];

const CREATE_CHANNEL_POLICIES: Policies = [
  [nobody, 2],
  [owners, 2],
  [administrators, 2],
  [moderators, 4],
  [fullMembers, 3],
  [members, 1],
];
const WEB_PUBLIC_CHANNEL_POLICIES: Policies = [
  [nobody, 6],
  [owners, 7],
  [administrators, 2],
  [moderators, 4],
];
const MENTION_POLICIES: Policies = [
  [nobody, 6],
  [owners, 5],
  [administrators, 5],
  [moderators, 7],
  [fullMembers, 3],
  [members, 2],
  [everyone, 1],
];

/** The number of the smallest group that contains everyone with the permission. These fields cannot be more precise. */
function policyOf(directory: Directory, value: unknown, policies: Policies): number | undefined {
  const exact = policies.find(([group]) => directory.groups.idOf(group) === value);
  return (exact ?? policies.at(-1))?.[1];
}
