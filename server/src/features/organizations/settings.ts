import type { OrganizationPermission } from '@heddle/api/permissions.ts';
import { presentGroupSetting } from '../../access/group-settings.ts';
import {
  ORGANIZATION_SETTING_NAMES,
  type OrganizationSettingName,
  organizationSetting,
  wireNameOf,
} from '../../access/organization-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import { type GroupSetting, SystemGroup } from '../../directory/records.ts';

/** Settings by their wire names without `realm_`, ready for the initial state and for events. */
export type WireSettings = Readonly<Record<string, unknown>>;

/** These settings of the organization, and what older clients read in their place. */
export function presentSettings(
  directory: Directory,
  names: Iterable<OrganizationSettingName> = ORGANIZATION_SETTING_NAMES,
): WireSettings {
  const fields: Record<string, unknown> = {};
  for (const name of names) {
    const value = organizationSetting(directory, name);
    fields[wireNameOf(name)] = isNamedDirectly(value) ? presentGroupSetting(value) : value;
    Object.assign(fields, outdated(directory, name));
  }
  return fields;
}

type DirectGroupSetting = Exclude<GroupSetting, number>;

function isNamedDirectly(value: unknown): value is DirectGroupSetting {
  return typeof value === 'object' && value !== null && 'directMembers' in value;
}

/** Deprecated fields that follow from the setting. */
function outdated(directory: Directory, name: OrganizationSettingName): WireSettings {
  switch (name) {
    case 'message_edit_history_visibility_policy':
      return { allow_edit_history: organizationSetting(directory, name) !== 'none' };
    case 'topics_policy':
      return { mandatory_topics: organizationSetting(directory, name) === 'disable_empty_topic' };
    case 'can_create_public_channel_group':
      return { create_public_stream_policy: policyOf(directory, name, CREATE_CHANNEL_POLICIES) };
    case 'can_create_private_channel_group':
      return { create_private_stream_policy: policyOf(directory, name, CREATE_CHANNEL_POLICIES) };
    case 'can_create_web_public_channel_group':
      return { create_web_public_stream_policy: policyOf(directory, name, WEB_PUBLIC_CHANNEL_POLICIES) };
    case 'can_mention_many_users_group':
      return { wildcard_mention_policy: policyOf(directory, name, MENTION_POLICIES) };
    default:
      return {};
  }
}

const { nobody, owners, administrators, moderators, fullMembers, members, everyone } = SystemGroup;

/** A policy's numbers for system groups, the smallest group first. The last stands for all that have no number. */
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

/** The number of a superset of those who have the permission; these fields can say no more. */
function policyOf(directory: Directory, name: OrganizationPermission, policies: Policies): number | undefined {
  const value = organizationSetting(directory, name);
  const exact = policies.find(([group]) => directory.groups.idOf(group) === value);
  return (exact ?? policies.at(-1))?.[1];
}
