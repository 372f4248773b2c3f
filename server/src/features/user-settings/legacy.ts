/** How clients without the capability `user_settings_object` know settings: in two groups, each with its events. */
import { displaySettings, notificationSettings } from '@heddle/api/objects/user-settings.ts';

export function isDisplaySetting(name: string): boolean {
  return Object.hasOwn(displaySettings, name);
}

export function isNotificationSetting(name: string): boolean {
  return Object.hasOwn(notificationSettings, name);
}

/** Those of the settings whose names belong to the group. */
export function ofGroup(settings: object, isOfGroup: (name: string) => boolean): object {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => isOfGroup(name)));
}
