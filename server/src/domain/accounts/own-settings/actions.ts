import type { Parameters } from '@heddle/api/contract.ts';
import type { updateSettingsDefaults } from '@heddle/api/endpoints/user-settings.ts';
import { organizationSetting } from '../../../access/organization-settings.ts';
import { roleRefusal } from '../../../access/setting-changes.ts';
import type { Change, OptimisticChange, Organization } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { organizationDelta, type StateDelta } from '../../../directory/state-deltas.ts';
import { heldSettings, isHeld } from '../../../directory/user-settings.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { showPresence } from '../../presence/actions.ts';
import { announceAway } from '../../presence/away.ts';
import type { PresenceContext } from '../../presence/queries.ts';
import { consentEvent } from '../../users/user-settings/consents.ts';
import { type SettingBody, settingEvents } from '../../users/user-settings/events.ts';
import type { Settings } from '../../users/user-settings/first-settings.ts';
import { completeSettings, settingOf } from '../../users/user-settings/queries.ts';
import { announceVisibility } from '../../users/users/addresses.ts';
import { beginAddressChange } from '../account-security/address.ts';
import { changePassword } from '../account-security/passwords.ts';
import { announceTimezone, renameUser } from '../accounts/changes.ts';
import {
  checkedSettings,
  type RequestedAccountChanges,
  type RequestedChanges,
  type RequestedSettings,
} from './checking.ts';

/**
 * Changes the caller's settings and account, all or nothing. If `presence_enabled` is among them, it announces or hides
 * the caller's presence.
 * @throws ApiError `BAD_REQUEST`, `RATE_LIMIT_HIT`
 */
export async function changeOwnSettings(
  app: PresenceContext & Pick<AppContext, 'secret' | 'jobs'>,
  organization: Organization,
  caller: UserRecord,
  requested: RequestedChanges,
  account: RequestedAccountChanges = {},
): Promise<void> {
  if (Object.values(account).some((requested) => requested !== undefined)) {
    await organization.transact(caller, 'exclusive', async (change, user) => {
      const changed = await changeOwnAccount(app, change, user, account);
      await changeSettings(change, changed, requested);
    });
    app.jobs.wake();
  } else if (concernsDirectory(requested)) {
    await organization.transact(caller, 'exclusive', (change, user) => changeSettings(change, user, requested));
  } else if (Object.keys(requested.settings).length > 0) {
    await organization.transact(caller, 'optimistic', (change, user) => changeSettings(change, user, requested));
  }
  const isShown = requested.settings.presence_enabled;
  if (isShown !== undefined && isShown !== settingOf(caller, 'presence_enabled')) {
    await showPresence(app, organization, caller.id, isShown);
  }
}

/** @returns the changed account; it has the old address until the new one is confirmed */
async function changeOwnAccount(
  app: Pick<AppContext, 'secret'>,
  change: Change,
  user: UserRecord,
  { fullName, email, password }: RequestedAccountChanges,
): Promise<UserRecord> {
  const { directory } = change;
  // Before a link is created: the change of the password ends all links.
  if (password !== undefined) await changePassword(change, user.id, password);
  if (email !== undefined) await beginAddressChange(app, change, user, email);
  const keepsName = organizationSetting(directory, 'name_changes_disabled') && user.role > Role.administrator;
  // Clients do not offer a new name then. They would treat an error as one for the whole request (reference).
  return fullName === undefined || keepsName ? user : renameUser(change, user, fullName);
}

/** Whether the directory changes. If so, this needs an exclusive transaction, otherwise an optimistic one. */
function concernsDirectory({ settings, timezone }: RequestedChanges): boolean {
  return timezone !== undefined || Object.keys(settings).some(isHeld);
}

/**
 * Changes the settings that differ, and announces them to the caller's clients. A time zone is announced to everyone.
 */
async function changeSettings(
  change: OptimisticChange,
  caller: UserRecord,
  { settings, timezone = caller.timezone }: RequestedChanges,
): Promise<void> {
  const { db, directory, append, hooks } = change;
  const organizationId = directory.organization.id;
  const { own_settings: stored } = await db
    .selectFrom('users')
    .select('own_settings')
    .where('organization_id', '=', organizationId)
    .where('id', '=', caller.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const changed = differences(completeSettings(stored), settings);
  const moves = timezone !== caller.timezone;
  if (changed.length === 0 && !moves) return;

  const after = { ...stored, ...Object.fromEntries(changed.map(({ property, value }) => [property, value])) };
  await db
    .updateTable('users')
    .set({ own_settings: after, ...(moves && { timezone }) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', caller.id)
    .execute();
  for (const setting of changed) await hooks.settingChanged(change, caller.id, setting);
  if (moves) await hooks.settingChanged(change, caller.id, { property: 'timezone', value: timezone });

  const held = heldSettings(after);
  const own = held === undefined ? {} : { settings: held };
  const events = changed.flatMap((body) => settingEvents(caller, body));
  const deltas: StateDelta[] = changed.some(({ property }) => isHeld(property))
    ? [{ delta: 'user-settings', userId: caller.id, ...own }]
    : [];
  for (const [index, event] of events.entries())
    append(index === 0 && deltas.length > 0 ? { ...event, deltas } : event);
  const consented = changed.find(({ property }) => property === 'allow_private_data_export');
  if (consented !== undefined)
    append(consentEvent(directory, { user_id: caller.id, consented: consented.value === true }));
  const shown = changed.find(({ property }) => property === 'presence_enabled');
  if (shown !== undefined) announceAway(change, caller.id, shown.value === false);
  let user = { ...caller, ...own };
  if (changed.some(({ property }) => property === 'email_address_visibility')) {
    user = await announceVisibility(change, caller, user);
  }
  if (!moves) return;
  for (const event of settingEvents(user, { property: 'timezone', value: timezone })) append(event);
  announceTimezone(change, { ...user, timezone });
}

/**
 * Changes the default settings of new accounts, and announces them to everyone. Existing accounts keep their settings.
 * @throws ApiError `UNAUTHORIZED_PRINCIPAL`, `BAD_REQUEST`
 */
export async function changeDefaults(
  { db, directory, append }: Change,
  caller: UserRecord,
  given: Parameters<typeof updateSettingsDefaults>,
): Promise<void> {
  const refusal = roleRefusal(caller, 'administrator');
  if (refusal !== undefined) throw refusal;
  const before = directory.organization;
  const changed = differences(completeSettings(before.userSettingsDefaults), checkedSettings(given));
  if (changed.length === 0) return;
  const userSettingsDefaults = {
    ...before.userSettingsDefaults,
    ...Object.fromEntries(changed.map(({ property, value }) => [property, value])),
  };
  await db
    .updateTable('organizations')
    .set({ user_settings_defaults: userSettingsDefaults })
    .where('id', '=', before.id)
    .execute();
  const deltas = [organizationDelta({ ...before, userSettingsDefaults }, before)];
  for (const [index, body] of changed.entries()) {
    const event = { type: 'realm_user_settings_defaults', audience: { to: 'everyone' }, body } as const;
    append(index === 0 ? { ...event, deltas } : event);
  }
}

/** The settings that differ, with their new values. */
function differences(now: Settings, requested: RequestedSettings): readonly SettingBody[] {
  const current: Readonly<Record<string, unknown>> = now;
  return Object.entries(requested)
    .filter(([name, value]) => current[name] !== value)
    .map(([property, value]) => ({ property, value }));
}
