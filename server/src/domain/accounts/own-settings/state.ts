import type { UserRecord } from '../../../directory/records.ts';
import type { StoredSettings } from '../../../directory/user-settings.ts';
import {
  type SpectatorContext,
  type StatePart,
  type StateReader,
  statePart,
} from '../../../extension/initial-state.ts';
import { rememberedState } from '../../../extension/remembered-state.ts';
import { CHOICES } from '../../users/user-settings/first-settings.ts';
import { DISPLAY_SETTING_NAMES, NOTIFICATION_SETTING_NAMES, ofGroup } from '../../users/user-settings/legacy.ts';
import { completeSettings, selectSettings } from '../../users/user-settings/queries.ts';
import { SPECTATOR } from '../../users/users/seen-by-spectators.ts';

const ofOrganization = rememberedState(['organization'], ({ organization }) => ({
  realm_user_settings_defaults: { ...completeSettings(organization.userSettingsDefaults), ...CHOICES },
}));

const select = ({ organizationId, userId }: StateReader) => selectSettings(organizationId, userId);

/** The caller's settings. Clients without the capability `user_settings_object` get the older ones as single fields. */
export const userSettingsState: readonly StatePart[] = [
  statePart<StoredSettings>({
    types: ['user_settings'],
    select,
    build: ({ user }, stored) => ({ user_settings: settingsOf(user, stored) }),
    spectators: {
      // Spectators have no inbox.
      build: () => ({ user_settings: { ...settingsOf(SPECTATOR, {}), web_home_view: 'recent_topics' } }),
    },
  }),
  statePart({
    types: ['realm_user_settings_defaults'],
    build: ({ directory }) => ofOrganization(directory),
    spectators: { build: ({ directory }) => ofOrganization(directory) },
  }),
  oneByOne('update_display_settings', DISPLAY_SETTING_NAMES),
  oneByOne('update_global_notifications', NOTIFICATION_SETTING_NAMES),
];

function oneByOne(type: string, names: readonly string[]): StatePart {
  const build = ({ settings }: SpectatorContext, user: UserRecord, stored: StoredSettings) =>
    settings.capabilities.userSettingsObject ? {} : { ...ofGroup(settingsOf(user, stored), names), ...CHOICES };
  return statePart<StoredSettings>({
    types: [type],
    select,
    build: (context, stored) => build(context, context.user, stored),
    spectators: { build: (context) => build(context, SPECTATOR, {}) },
  });
}

function settingsOf({ timezone }: UserRecord, stored: StoredSettings) {
  return { ...completeSettings(stored), timezone, ...CHOICES };
}
