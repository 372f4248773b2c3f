import type { subscription } from '@heddle/api/objects/subscription.ts';
import type { Static } from 'typebox';
import type { UserRecord } from '../../../directory/records.ts';
import { type ChannelView, presentChannel } from '../../channels/present.ts';
import type { Member } from '../../channels/subscription-event.ts';
import {
  newSubscriptionSettings,
  type SettingsRow,
  type SubscriptionSettings,
  subscriptionSettings,
} from '../../channels/subscription-settings.ts';
import { settingOf } from '../../users/user-settings/queries.ts';

/** A member with the settings of an earlier subscription. */
export function memberAgain(row: SettingsRow & { readonly user_id: number }): Member {
  return [row.user_id, row.color, subscriptionSettings(row)];
}

export function settingsOf([, color, kept]: Member): SubscriptionSettings {
  return kept ?? newSubscriptionSettings(color);
}

export type WireSubscription = Static<typeof subscription>;

/** The user whose general settings apply where a subscription has none. */
type Subscriber = Pick<UserRecord, 'settings'>;

/** A user with the initial general settings. */
export const ANYBODY: Subscriber = {};

/**
 * The personal settings as fields of the API's subscription object.
 * @param options.insteadOfNull for clients that do not accept null: the user whose general settings replace it
 */
export function presentSettings(
  settings: SubscriptionSettings,
  { insteadOfNull: user }: { readonly insteadOfNull: Subscriber | undefined },
) {
  const orGeneral = (value: boolean | null, name: GeneralSetting) =>
    user === undefined ? value : (value ?? settingOf(user, name));
  return {
    color: settings.color,
    is_muted: settings.isMuted,
    in_home_view: !settings.isMuted,
    pin_to_top: settings.pinToTop,
    desktop_notifications: orGeneral(settings.desktopNotifications, 'enable_stream_desktop_notifications'),
    audible_notifications: orGeneral(settings.audibleNotifications, 'enable_stream_audible_notifications'),
    push_notifications: orGeneral(settings.pushNotifications, 'enable_stream_push_notifications'),
    email_notifications: orGeneral(settings.emailNotifications, 'enable_stream_email_notifications'),
    wildcard_mentions_notify: orGeneral(settings.wildcardMentionsNotify, 'wildcard_mentions_notify'),
  };
}

type GeneralSetting =
  | 'enable_stream_desktop_notifications'
  | 'enable_stream_audible_notifications'
  | 'enable_stream_push_notifications'
  | 'enable_stream_email_notifications'
  | 'wildcard_mentions_notify';

/** The API's subscription object. */
export function presentSubscription(
  view: ChannelView,
  settings: SubscriptionSettings,
  subscribers: readonly number[] | undefined,
): WireSubscription {
  return {
    ...presentChannel(view),
    ...presentSettings(settings, { insteadOfNull: undefined }),
    ...(subscribers === undefined ? {} : { subscribers: [...subscribers] }),
  };
}
