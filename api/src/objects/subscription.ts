import Type from 'typebox';
import { channelFields } from './channel.ts';

const booleanOrNull = Type.Union([Type.Boolean(), Type.Null()]);

/** What belongs to one user's subscription; a notification setting of null follows the user's general one. */
export const subscriptionSettings = {
  color: Type.String(),
  is_muted: Type.Boolean(),
  in_home_view: Type.Boolean(),
  pin_to_top: Type.Boolean(),
  desktop_notifications: booleanOrNull,
  audible_notifications: booleanOrNull,
  push_notifications: booleanOrNull,
  email_notifications: booleanOrNull,
  wildcard_mentions_notify: booleanOrNull,
};

/** Active accounts that are subscribed; one of the two where subscribers were asked for. */
const subscriberLists = {
  subscribers: Type.Optional(Type.Array(Type.Integer())),
  partial_subscribers: Type.Optional(Type.Array(Type.Integer())),
};

/** A channel with the user's own settings of it. */
export const subscription = Type.Object({ ...channelFields, ...subscriptionSettings, ...subscriberLists });

/** A channel that the user knows and never subscribed to. */
export const neverSubscribedChannel = Type.Object({ ...channelFields, ...subscriberLists });
