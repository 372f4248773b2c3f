import type { subscription } from '@heddle/api/objects/subscription.ts';
import type { Static } from 'typebox';
import type { UserRecord } from '../../directory/records.ts';
import { type ChannelView, presentChannel } from '../channels/present.ts';
import { settingOf } from '../user-settings/queries.ts';
import {
  newSubscriptionSettings,
  type SettingsRow,
  type SubscriptionSettings,
  subscriptionSettings,
} from './settings.ts';

/** A new subscriber in an event: who has never been subscribed needs no more than a colour. */
export type Member = readonly [userId: number, color: string, kept?: SubscriptionSettings];

/** Whoever was subscribed before has what they set then. */
export function memberAgain(row: SettingsRow & { readonly user_id: number }): Member {
  return [row.user_id, row.color, subscriptionSettings(row)];
}

export function settingsOf([, color, kept]: Member): SubscriptionSettings {
  return kept ?? newSubscriptionSettings(color);
}

/** The body of an event of type `subscription`. */
export type SubscriptionEvent =
  /** The members are subscribed now; the view is of after that. The deactivated are subscribed too, and do not count. */
  | {
      readonly op: 'add';
      readonly view: ChannelView;
      readonly members: readonly Member[];
      readonly deactivated: readonly number[];
      /** Only for clients that know of no archived channels: the channel was one, and those who were subscribed still are. */
      readonly isBack?: true;
    }
  /** The audience's subscriptions have ended. */
  | { readonly op: 'remove'; readonly channelId: number; readonly isArchived: boolean; readonly name: string }
  /** A setting of the audience's subscription, by its wire name. */
  | {
      readonly op: 'update';
      readonly channelId: number;
      readonly isArchived: boolean;
      readonly property: string;
      readonly value: boolean | string | null;
    }
  /** All who are subscribed as of the event, for those who come to know the channel; the deactivated do not count. */
  | {
      readonly op: 'peers';
      readonly channelId: number;
      readonly isArchived: boolean;
      readonly deactivated: readonly number[];
      /** As above. */
      readonly isBack?: true;
    }
  /** Others joined or left. */
  | {
      readonly op: 'peer_add' | 'peer_remove';
      readonly channelId: number;
      readonly isArchived: boolean;
      readonly userIds: readonly number[];
    };

export type WireSubscription = Static<typeof subscription>;

/** Whose general settings hold where those of a subscription say nothing. */
type Subscriber = Pick<UserRecord, 'settings'>;

/** Nobody's own: what everybody's general settings are at first. */
export const ANYBODY: Subscriber = {};

/**
 * A user's own settings as the wire's subscription object holds them.
 * @param options.insteadOfNull for clients that know no null: the user whose general settings are told in its place
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

/** The wire's subscription object. */
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
