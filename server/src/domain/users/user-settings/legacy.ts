/** Settings for clients without the capability `user_settings_object`: two groups, each with its own event type. */
import { displaySettings, notificationSettings } from '@heddle/api/objects/user-settings.ts';

export function isDisplaySetting(name: string): boolean {
  return Object.hasOwn(displaySettings, name);
}

export function isNotificationSetting(name: string): boolean {
  return Object.hasOwn(notificationSettings, name);
}

/** The settings whose names are in the group. */
export function ofGroup(settings: object, isOfGroup: (name: string) => boolean): object {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => isOfGroup(name)));
}
