import Type from 'typebox';
import { eachSubscriptionSetting } from '../subscription-settings.ts';
import { channelFields } from './channel.ts';

/** The personal fields of a subscription. Null means that the general notification setting of the user applies. */
export const subscriptionSettings = {
  ...eachSubscriptionSetting('value'),
  /** The older name of the opposite of `is_muted`. */
  in_home_view: Type.Boolean(),
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
