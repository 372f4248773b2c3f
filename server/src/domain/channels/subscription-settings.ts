import type { Row } from '../../db/schema.ts';

/** A user's own settings for a channel. They stay when the subscription ends, so that a later one has them again. */
export interface SubscriptionSettings {
  /** `#rrggbb`, lower case. */
  readonly color: string;
  readonly isMuted: boolean;
  readonly pinToTop: boolean;
  /** In this and the following settings, null means the user's general setting. */
  readonly desktopNotifications: boolean | null;
  readonly audibleNotifications: boolean | null;
  readonly pushNotifications: boolean | null;
  readonly emailNotifications: boolean | null;
  readonly wildcardMentionsNotify: boolean | null;
}

export function newSubscriptionSettings(color: string): SubscriptionSettings {
  return {
    color,
    isMuted: false,
    pinToTop: false,
    desktopNotifications: null,
    audibleNotifications: null,
    pushNotifications: null,
    emailNotifications: null,
    wildcardMentionsNotify: null,
  };
}

/** The columns of `subscriptions` that hold the settings. */
export const SETTINGS_COLUMNS = [
  'color',
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;

export type SettingsRow = Pick<Row<'subscriptions'>, (typeof SETTINGS_COLUMNS)[number]>;

export function subscriptionSettings(row: SettingsRow): SubscriptionSettings {
  return {
    color: row.color,
    isMuted: row.is_muted,
    pinToTop: row.pin_to_top,
    desktopNotifications: row.desktop_notifications,
    audibleNotifications: row.audible_notifications,
    pushNotifications: row.push_notifications,
    emailNotifications: row.email_notifications,
    wildcardMentionsNotify: row.wildcard_mentions_notify,
  };
}
