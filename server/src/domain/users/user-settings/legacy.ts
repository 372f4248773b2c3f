/** Settings for clients without the capability `user_settings_object`: two groups, each with its own event type. */
import { displaySettings, notificationSettings } from '@heddle/api/objects/user-settings.ts';

export function isDisplaySetting(name: string): boolean {
  return Object.hasOwn(displaySettings, name);
}

export function isNotificationSetting(name: string): boolean {
  return Object.hasOwn(notificationSettings, name);
}

/** Which settings a group has. */
export const DISPLAY_SETTING_NAMES: readonly string[] = Object.keys(displaySettings);
export const NOTIFICATION_SETTING_NAMES: readonly string[] = Object.keys(notificationSettings);

/** The settings with these names. */
export function ofGroup(settings: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  const chosen: Record<string, unknown> = {};
  for (const name of names) if (settings[name] !== undefined) chosen[name] = settings[name];
  return chosen;
}
