import type { subscription } from '@heddle/api/objects/subscription.ts';
import type { Static } from 'typebox';
import { type ChannelView, presentChannel } from '../channels/present.ts';
import { newSubscriptionSettings, type SubscriptionSettings } from './settings.ts';

/** A new subscriber in an event: who has never been subscribed needs no more than a colour. */
export type Member = readonly [userId: number, color: string, kept?: SubscriptionSettings];

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

/** What clients that do not know null get for it: how users' general settings stand. */
const GENERAL = { desktop: false, audible: false, push: false, email: false, wildcardMentions: true } as const;

/** A user's own settings as the wire's subscription object holds them. */
export function presentSettings(settings: SubscriptionSettings, options: { readonly knowsNull: boolean }) {
  const orGeneral = (value: boolean | null, general: boolean) => (options.knowsNull ? value : (value ?? general));
  return {
    color: settings.color,
    is_muted: settings.isMuted,
    in_home_view: !settings.isMuted,
    pin_to_top: settings.pinToTop,
    desktop_notifications: orGeneral(settings.desktopNotifications, GENERAL.desktop),
    audible_notifications: orGeneral(settings.audibleNotifications, GENERAL.audible),
    push_notifications: orGeneral(settings.pushNotifications, GENERAL.push),
    email_notifications: orGeneral(settings.emailNotifications, GENERAL.email),
    wildcard_mentions_notify: orGeneral(settings.wildcardMentionsNotify, GENERAL.wildcardMentions),
  };
}

/** The wire's subscription object. */
export function presentSubscription(
  view: ChannelView,
  settings: SubscriptionSettings,
  options: { readonly knowsNull: boolean; readonly subscribers: readonly number[] | undefined },
): WireSubscription {
  const { subscribers } = options;
  return {
    ...presentChannel(view),
    ...presentSettings(settings, options),
    ...(subscribers === undefined ? {} : { subscribers: [...subscribers] }),
  };
}
