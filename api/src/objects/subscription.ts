import Type from 'typebox';
import { channelFields } from './channel.ts';

const booleanOrNull = Type.Union([Type.Boolean(), Type.Null()]);

/** The personal fields of a subscription. Null means that the general notification setting of the user applies. */
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

/** Active subscribers. If the client asked for subscribers, one of the two fields is present. */
const subscriberLists = {
  subscribers: Type.Optional(Type.Array(Type.Integer())),
  partial_subscribers: Type.Optional(Type.Array(Type.Integer())),
};

/** A channel with the personal settings of the user. */
export const subscription = Type.Object({ ...channelFields, ...subscriptionSettings, ...subscriberLists });

/** A channel that the user can access and never subscribed to. */
export const neverSubscribedChannel = Type.Object({ ...channelFields, ...subscriberLists });
