import type { Parameters } from '@heddle/api/contract.ts';
import type { updateOrganization } from '@heddle/api/endpoints/organizations.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '@heddle/api/permissions.ts';
import { sql } from 'kysely';
import { changedGroupSetting, type WireGroupSettingUpdate } from '../../../access/group-settings.ts';
import {
  ORGANIZATION_SETTING_NAMES,
  type OrganizationSettingName,
  organizationSetting,
  type PlainSettingName,
  wireNameOf,
} from '../../../access/organization-settings.ts';
import { missingFeatureRefusal, organizationSettingRefusal, roleRefusal } from '../../../access/setting-changes.ts';
import type { Config } from '../../../config.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import { type GroupSetting, isSameSetting, SystemGroup, type UserRecord } from '../../../directory/records.ts';
import { organizationDelta } from '../../../directory/state-deltas.ts';
import { addCursor } from '../../../log/consumer.ts';
import { announceFullMembers } from '../../user-groups/full-members.ts';
import { announceHiding } from '../../users/accessible-users/hiding.ts';
import { organizationUpdates } from '../organizations/events.ts';
import { LINK_PREVIEWS } from '../organizations/link-previews.ts';
import { checkedOrganizationName } from '../organizations/names.ts';
import { checkedSetting, type GivenValue } from '../organizations/setting-values.ts';
import { presentSetting, presentValue, type WireSettings } from '../organizations/settings.ts';
import { joinedThrough, storedTime, withJoinedThrough } from './full-members.ts';
import { checkLoginMethods } from './login-methods.ts';

export type OrganizationParameters = Parameters<typeof updateOrganization>;

/** The settings that a request changes, with their new stored values. */
type Decided = ReadonlyMap<OrganizationSettingName, GivenValue | GroupSetting>;

/**
 * Changes settings of the organization, all or nothing, and announces them. Settings that keep their value are skipped.
 * @returns the changes, for the response
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`, `BAD_REQUEST`, `REQUEST_VARIABLE_INVALID`, `EXPECTATION_MISMATCH`,
 * `SYSTEM_GROUP_REQUIRED`
 */
export async function changeOrganization(
  change: Change,
  caller: UserRecord,
  { parameters, config }: { readonly parameters: OrganizationParameters; readonly config: Config },
): Promise<WireSettings> {
  const { db, directory, append } = change;
  checkMayChange(caller, parameters);
  if (parameters.authentication_methods !== undefined) checkLoginMethods(config, parameters.authentication_methods);
  if (parameters.string_id !== undefined) throw badRequest('Must be a demo organization.');

  const before = directory.organization;
  const name = parameters.name === undefined ? before.name : checkedOrganizationName(parameters.name);
  const description = parameters.description ?? before.description;
  const decided = decidedSettings(directory, caller, parameters);
  const changed = new Map<OrganizationSettingName | 'name' | 'description', WireSettings>();
  if (name !== before.name) changed.set('name', { name });
  if (description !== before.description) changed.set('description', { description });
  for (const [setting, value] of decided) changed.set(setting, presentSetting(directory, setting, value));
  if (changed.size === 0) return {};

  const settings = { ...before.settings, ...Object.fromEntries(decided) };
  const threshold = decided.get('waiting_period_threshold');
  const time = threshold === undefined ? before.fullMembersJoinedThrough : joinedThrough(Number(threshold));
  await db
    .updateTable('organizations')
    .set({
      name,
      description,
      settings,
      full_members_joined_through: storedTime(time),
      ...(decided.has('message_retention_days') && { retention_changed_at: sql<Date>`now()` }),
    })
    .where('id', '=', before.id)
    .execute();

  const [first, ...others] = organizationUpdates(changed);
  const audience = { to: 'everyone' } as const;
  const deltas = [organizationDelta(withJoinedThrough({ ...before, name, description, settings }, time), before)];
  append({ type: 'realm', audience, body: first, deltas });
  for (const body of others) append({ type: 'realm', audience, body });
  // Messages from now on get previews.
  if (decided.get('inline_url_embed_preview') === true) await addCursor(db, before.id, LINK_PREVIEWS);
  if (decided.has('can_access_all_users_group')) {
    await announceHiding(change, hidesPeople(directory, decided.get('can_access_all_users_group')));
  }
  if (time !== before.fullMembersJoinedThrough) await announceFullMembers(change, time);
  return answerOf(directory, decided, changed);
}

/** @param group the users who can access everyone */
function hidesPeople({ groups }: Directory, group: unknown): boolean {
  return group !== groups.idOf(SystemGroup.everyone);
}

/** Runs before all other checks, so a caller without permission gets this error first. */
function checkMayChange(caller: UserRecord, parameters: OrganizationParameters): void {
  const refusals = [
    roleRefusal(caller, 'administrator'),
    ...givenSettings(parameters).map(([name]) => organizationSettingRefusal(caller, name)),
    ...[parameters.authentication_methods, parameters.string_id].map((given) =>
      given === undefined ? undefined : roleRefusal(caller, 'owner'),
    ),
  ];
  for (const refusal of refusals) if (refusal !== undefined) throw refusal;
}

type Given = GivenValue | WireGroupSettingUpdate;

/** The settings that the request names, with the given values. */
function givenSettings(parameters: OrganizationParameters): readonly (readonly [OrganizationSettingName, Given])[] {
  const byName: Readonly<Record<string, unknown>> = parameters;
  return ORGANIZATION_SETTING_NAMES.flatMap((name) => {
    const given = byName[wireNameOf(name)];
    // The contract gives each parameter the type of its setting.
    return given === undefined ? [] : [[name, given as Given] as const];
  });
}

function decidedSettings(directory: Directory, caller: UserRecord, parameters: OrganizationParameters): Decided {
  const decided = new Map<OrganizationSettingName, GivenValue | GroupSetting>();
  for (const [name, given] of givenSettings(parameters)) {
    const current = organizationSetting(directory, name);
    const value = isPermission(name)
      ? changedPermission(directory, name, given as WireGroupSettingUpdate)
      : checkedSetting({ directory, caller }, name, given as GivenValue);
    if (isSame(current, value)) continue;
    const refusal = missingFeatureRefusal(name);
    if (refusal !== undefined) throw refusal;
    decided.set(name, value);
  }
  return decided;
}

function changedPermission(directory: Directory, name: OrganizationPermission, update: WireGroupSettingUpdate) {
  const named = { name, permission: ORGANIZATION_PERMISSIONS[name] };
  return changedGroupSetting(directory, named, organizationSetting(directory, name), update);
}

function isPermission(name: OrganizationSettingName): name is Exclude<OrganizationPermission, PlainSettingName> {
  return Object.hasOwn(ORGANIZATION_PERMISSIONS, name);
}

function isSame(current: GivenValue | GroupSetting, value: GivenValue | GroupSetting): boolean {
  if (typeof current === 'object' && typeof value === 'object' && current !== null && value !== null) {
    return isSameSetting(current, value);
  }
  return current === value;
}

/** By the names of the parameters. Texts are not repeated. */
function answerOf(directory: Directory, decided: Decided, changed: ReadonlyMap<string, unknown>): WireSettings {
  const answer: Record<string, unknown> = {};
  for (const name of ['name', 'description']) if (changed.has(name)) answer[name] = 'updated';
  for (const [name, value] of decided) {
    answer[wireNameOf(name)] = typeof value === 'string' ? 'updated' : presentValue(directory, value);
  }
  return answer;
}
