import type { subscription } from '@heddle/api/objects/subscription.ts';
import {
  SUBSCRIPTION_SETTING_NAMES,
  SUBSCRIPTION_SETTINGS,
  type SubscriptionSettingName,
  type SubscriptionSettings,
} from '@heddle/api/subscription-settings.ts';
import type { Static } from 'typebox';
import type { UserRecord } from '../../../directory/records.ts';
import { type ChannelView, presentChannel } from '../../channels/present.ts';
import type { Member } from '../../channels/subscription-event.ts';
import { loggedSettings, newSubscriptionSettings, settingsInLog } from '../../channels/subscription-settings.ts';
import { settingOf } from '../../users/user-settings/queries.ts';

/** A member with the settings of an earlier subscription. */
export function memberAgain(row: SubscriptionSettings & { readonly user_id: number }): Member {
  return [row.user_id, row.color, loggedSettings(row)];
}

export function settingsOf([, color, kept]: Member): SubscriptionSettings {
  return kept === undefined ? newSubscriptionSettings(color) : settingsInLog(kept);
}

export type WireSubscription = Static<typeof subscription>;

/** The user whose general settings apply where a subscription has none. */
type Subscriber = Pick<UserRecord, 'settings'>;

/** With the older name of the opposite of `is_muted`. */
type ShownSettings = SubscriptionSettings & { readonly in_home_view: boolean };

/** A user with the initial general settings. */
export const ANYBODY: Subscriber = {};

/**
 * The personal settings as fields of the API's subscription object.
 * @param options.insteadOfNull for clients that do not accept null: the user whose general settings replace it
 */
export function presentSettings(
  settings: SubscriptionSettings,
  { insteadOfNull: user }: { readonly insteadOfNull: Subscriber | undefined },
): ShownSettings {
  const shown: Record<string, unknown> = {};
  for (const name of SUBSCRIPTION_SETTING_NAMES) {
    const value = settings[name];
    shown[name] = value === null && user !== undefined ? generalValue(user, name) : value;
  }
  shown.in_home_view = !settings.is_muted;
  return shown as unknown as ShownSettings;
}

function generalValue(user: Subscriber, name: SubscriptionSettingName): unknown {
  const setting = SUBSCRIPTION_SETTINGS[name];
  return 'general' in setting ? settingOf(user, setting.general) : null;
}

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
