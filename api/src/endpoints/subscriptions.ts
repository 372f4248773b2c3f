import Type from 'typebox';
import { list, MOST_CHANNELS, MOST_USERS, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { subscription } from '../objects/subscription.ts';
import { newChannelParameters } from './channels.ts';

const AREA = 'Subscriptions';

const principals = optional(Type.Union([list(Type.Integer(), MOST_USERS), list(text(), MOST_USERS)]), {
  description: 'Ids or API addresses of users; left out, the caller',
});
const channelToJoin = Type.Object({
  name: text(),
  /** Of a channel that is created. */
  description: Type.Optional(text()),
  /** For those who are subscribed for the first time. */
  color: Type.Optional(text()),
});
/** By user id: the names of channels. */
const channelsByUser = Type.Record(Type.String({ pattern: '^\\d+$' }), Type.Array(Type.String()));
/** How much of a large request is done at once. */
const IN_SLICES =
  'A request is carried out whole or not at all, unless it names many: more than some twenty new channels, some fifty channels, or some ' +
  'five hundred users times channels are done in several commits. All is checked before the first; where a later one is refused, because ' +
  'somebody has changed what it depends on meanwhile, that is the answer, and what was done before stays done and was announced. ' +
  'Users times channels are at most 100,000.';

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
  summary: 'List the channels that the caller is subscribed to',
  authentication: 'required',
  parameters: {
    include_subscribers: defaulted(Type.Union([Type.Boolean(), Type.Literal('partial')]), false, {
      description: '`true` or `partial`: with the ids of the subscribers of each',
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
  summary: 'Subscribe users to channels; channels that do not exist are created',
  description: IN_SLICES,
  authentication: 'required',
  parameters: {
    subscriptions: required(list(channelToJoin, MOST_CHANNELS)),
    principals,
    authorization_errors_fatal: defaulted(Type.Boolean(), true, {
      description: 'Whether one channel that the caller cannot join fails the whole request',
    }),
    ...newChannelParameters,
    send_new_subscription_messages: defaulted(Type.Boolean(), true, {
      description: 'Whether to tell others by direct message that the caller subscribed them',
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
  parameters: { subscriptions: required(list(text(), MOST_CHANNELS), { description: 'Names' }), principals },
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
    delete: defaulted(list(text(), MOST_CHANNELS), []),
    add: defaulted(list(channelToJoin, MOST_CHANNELS), []),
  },
  response: Type.Object({ ...subscribed, ...unsubscribed }),
  errors: [],
});

export const updateSubscriptionSettings = defineEndpoint({
  operationId: 'update-subscription-settings',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  area: AREA,
  summary: "Change the caller's settings of subscriptions",
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
  summary: 'Tell whether a user is subscribed to a channel',
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
  summary: 'List the ids of the channels that a user is subscribed to',
  description: 'Those of them that the caller may know.',
  authentication: 'required',
  parameters: { user_id: inPath(Type.Integer()) },
  response: Type.Object({ subscribed_channel_ids: Type.Array(Type.Integer()) }),
  errors: [],
});
