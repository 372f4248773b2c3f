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

/** A user with the initial general settings. */
export const ANYBODY: Subscriber = {};

/**
 * The personal settings as fields of the API's subscription object, in JSON without braces. A register lists all
 * subscriptions of a user, so this makes no object.
 * @param options.insteadOfNull for clients that do not accept null: the user whose general settings replace it
 */
export function settingsText(
  settings: SubscriptionSettings,
  { insteadOfNull: user }: { readonly insteadOfNull: Subscriber | undefined },
): string {
  let text = '';
  for (const name of SUBSCRIPTION_SETTING_NAMES) {
    const value = settings[name];
    const shown = value === null && user !== undefined ? generalValue(user, name) : value;
    text += `"${name}":${typeof shown === 'string' ? JSON.stringify(shown) : shown},`;
  }
  return `${text}"in_home_view":${!settings.is_muted}`;
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
    ...ownSettings(settings),
    in_home_view: !settings.is_muted,
    ...(subscribers === undefined ? {} : { subscribers: [...subscribers] }),
  };
}

function ownSettings(settings: SubscriptionSettings): SubscriptionSettings {
  const entries = SUBSCRIPTION_SETTING_NAMES.map((name) => [name, settings[name]]);
  return Object.fromEntries(entries) as SubscriptionSettings;
}
