import Type from 'typebox';
import { channel } from '../objects/channel.ts';
import { neverSubscribedChannel, subscription } from '../objects/subscription.ts';

export const channelsState = {
  streams: Type.Optional(Type.Array(channel)),
  realm_default_streams: Type.Optional(Type.Array(Type.Integer())),
  realm_default_stream_groups: Type.Optional(Type.Array(Type.Object({}))),
  stream_name_max_length: Type.Optional(Type.Integer()),
  stream_description_max_length: Type.Optional(Type.Integer()),
  max_stream_name_length: Type.Optional(Type.Integer()),
  max_stream_description_length: Type.Optional(Type.Integer()),
  max_bulk_new_subscription_messages: Type.Optional(Type.Integer()),
};

export const subscriptionsState = {
  subscriptions: Type.Optional(Type.Array(subscription)),
  unsubscribed: Type.Optional(Type.Array(subscription)),
  never_subscribed: Type.Optional(Type.Array(neverSubscribedChannel)),
};
