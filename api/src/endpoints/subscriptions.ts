import Type from 'typebox';
import { list, MAX_CHANNELS_PER_REQUEST, MAX_USERS_PER_REQUEST, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { subscription } from '../objects/subscription.ts';
import { newChannelParameters } from './channels.ts';

const AREA = 'Subscriptions';

const principals = optional(
  Type.Union([list(Type.Integer(), MAX_USERS_PER_REQUEST), list(text(), MAX_USERS_PER_REQUEST)]),
  {
    description: 'IDs or API addresses of users. The default is the caller',
  },
);
const channelToJoin = Type.Object({
  name: text(),
  /** The description of a new channel. */
  description: Type.Optional(text()),
  /** The color of first-time subscriptions. */
  color: Type.Optional(text()),
});
/** Names of channels by user ID. */
const channelsByUser = Type.Record(Type.String({ pattern: '^\\d+$' }), Type.Array(Type.String()));
/** How the server splits large requests into commits. */
const IN_SLICES =
  'A small request succeeds or fails as a whole. The server splits larger requests (about 20 new channels, 50 channels, or 500 pairs of a ' +
  'user and a channel) into several commits. It checks everything before the first commit. If a later commit fails because of a concurrent ' +
  'change, the response is that error, and the earlier commits remain. A request has at most 100,000 pairs.';

const subscribed = {
  subscribed: channelsByUser,
  already_subscribed: channelsByUser,
  unauthorized: Type.Optional(Type.Array(Type.String())),
  new_subscription_messages_sent: Type.Optional(Type.Boolean()),
};
const unsubscribed = { removed: Type.Array(Type.String()), not_removed: Type.Array(Type.String()) };

export const getSubscriptions = defineEndpoint({
  operationId: 'get-subscriptions',
  method: 'GET',
  path: '/users/me/subscriptions',
  area: AREA,
  summary: 'List the subscriptions of the caller',
  authentication: 'required',
  parameters: {
    include_subscribers: defaulted(Type.Union([Type.Boolean(), Type.Literal('partial')]), false, {
      description: 'With `true` or `partial`, each channel has the IDs of its subscribers',
    }),
  },
  response: Type.Object({ subscriptions: Type.Array(subscription) }),
  errors: [],
});

export const subscribe = defineEndpoint({
  operationId: 'subscribe',
  method: 'POST',
  path: '/users/me/subscriptions',
  area: AREA,
  summary: 'Subscribe users to channels, and create missing channels',
  description: IN_SLICES,
  authentication: 'required',
  parameters: {
    subscriptions: required(list(channelToJoin, MAX_CHANNELS_PER_REQUEST)),
    principals,
    authorization_errors_fatal: defaulted(Type.Boolean(), true, {
      description: 'Whether one inaccessible channel fails the whole request',
    }),
    ...newChannelParameters,
    send_new_subscription_messages: defaulted(Type.Boolean(), true, {
      description: 'Whether the notification bot sends direct messages to the new subscribers',
    }),
  },
  response: Type.Object(subscribed),
  errors: ['REQUEST_VARIABLE_INVALID', 'UNAUTHORIZED_PRINCIPAL'],
});

export const unsubscribe = defineEndpoint({
  operationId: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  area: AREA,
  summary: 'Unsubscribe users from channels',
  description: IN_SLICES,
  authentication: 'required',
  parameters: {
    subscriptions: required(list(text(), MAX_CHANNELS_PER_REQUEST), { description: 'Names of channels' }),
    principals,
  },
  response: Type.Object(unsubscribed),
  errors: [],
});

export const updateSubscriptions = defineEndpoint({
  operationId: 'update-subscriptions',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  area: AREA,
  summary: 'Unsubscribe the caller from some channels and subscribe to others',
  description: IN_SLICES,
  authentication: 'required',
  parameters: {
    delete: defaulted(list(text(), MAX_CHANNELS_PER_REQUEST), []),
    add: defaulted(list(channelToJoin, MAX_CHANNELS_PER_REQUEST), []),
  },
  response: Type.Object({ ...subscribed, ...unsubscribed }),
  errors: [],
});

export const updateSubscriptionSettings = defineEndpoint({
  operationId: 'update-subscription-settings',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  area: AREA,
  summary: 'Change the subscription settings of the caller',
  authentication: 'required',
  parameters: {
    subscription_data: required(
      list(
        Type.Object({
          stream_id: Type.Integer(),
          property: text(),
          value: Type.Union([Type.Boolean(), text()]),
        }),
        1000,
      ),
    ),
  },
  response: Type.Object({}),
  errors: [],
});

export const getSubscriptionStatus = defineEndpoint({
  operationId: 'get-subscription-status',
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  area: AREA,
  summary: 'Check whether a user is subscribed to a channel',
  authentication: 'required',
  parameters: { user_id: inPath(Type.Integer()), stream_id: inPath(Type.Integer()) },
  response: Type.Object({ is_subscribed: Type.Boolean() }),
  errors: [],
});

export const getUserChannels = defineEndpoint({
  operationId: 'get-user-channels',
  method: 'GET',
  path: '/users/{user_id}/channels',
  area: AREA,
  summary: 'List the IDs of the channels to which a user is subscribed',
  description: 'Contains only channels that the caller can access.',
  authentication: 'required',
  parameters: { user_id: inPath(Type.Integer()) },
  response: Type.Object({ subscribed_channel_ids: Type.Array(Type.Integer()) }),
  errors: [],
});
