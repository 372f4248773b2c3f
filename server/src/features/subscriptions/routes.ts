import * as endpoints from '@heddle/api/endpoints/subscriptions.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { accessChannel } from '../../access/channels.ts';
import type { Directory } from '../../directory/directory.ts';
import { activeSubscribers, inactiveChannels, viewChannel } from '../channels/queries.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { settingsKind } from './changing-settings.ts';
import { presentSubscription } from './present.ts';
import { subscriptionsOf } from './queries.ts';
import { type SubscribeParameters, subscribe } from './subscribing.ts';
import { unsubscribe } from './unsubscribing.ts';

export function subscriptionRoutes(rooms: Rooms): readonly HeddleRoute[] {
  const urlOf = (directory: Directory) => rooms.address.of(directory.organization.subdomain);

  return [
    route(endpoints.getSubscriptions, {}, async ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const stored = (await subscriptionsOf(rooms.db, organization.id, caller.id)).filter(({ isActive }) => isActive);
      const inactive = await inactiveChannels(rooms.db, organization.id, directory.channels.values());
      return {
        subscriptions: stored.flatMap(({ channelId, settings }) => {
          const channel = directory.channel(channelId);
          if (channel === undefined || channel.isArchived) return [];
          const subscribers =
            parameters.include_subscribers === false ? undefined : activeSubscribers(directory, channelId);
          return presentSubscription(viewChannel(directory, channel, inactive), settings, {
            knowsNull: true,
            subscribers,
          });
        }),
      };
    }),

    route(endpoints.subscribe, {}, ({ parameters, organization, caller }) =>
      organization.changeBy(caller, (change, user) =>
        subscribe(change, { caller: user, parameters, organizationUrl: urlOf(change.directory) }),
      ),
    ),

    route(endpoints.unsubscribe, {}, ({ parameters, organization, caller }) =>
      organization.changeBy(caller, (change, user) =>
        unsubscribe(change, {
          caller: user,
          names: parameters.subscriptions,
          principals: parameters.principals ?? [],
        }),
      ),
    ),

    route(endpoints.updateSubscriptions, {}, ({ parameters, organization, caller }) => {
      if (parameters.add.length === 0 && parameters.delete.length === 0) {
        throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
      }
      return organization.changeBy(caller, async (change, user) => {
        const subscribed = await subscribe(change, {
          caller: user,
          parameters: { ...JOINING_ALONE, subscriptions: parameters.add },
          organizationUrl: urlOf(change.directory),
        });
        const unsubscribed = await unsubscribe(change, { caller: user, names: parameters.delete, principals: [] });
        return { ...subscribed, ...unsubscribed };
      });
    }),

    route(endpoints.updateSubscriptionSettings, {}, async ({ parameters, organization, caller }) => {
      await organization.inGroup(settingsKind, { callerId: caller.id, settings: parameters.subscription_data });
      return {};
    }),

    route(endpoints.getSubscriptionStatus, {}, ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const user = directory.user(parameters.user_id);
      if (user === undefined) throw badRequest('No such user');
      const channel = accessChannel(directory, caller, parameters.stream_id, 'know');
      return { is_subscribed: directory.subscriptions.has(channel.id, user.id) };
    }),
  ];
}

/** What `POST /users/me/subscriptions` takes when a request says nothing but the channels. */
const JOINING_ALONE: Omit<SubscribeParameters, 'subscriptions'> = {
  principals: undefined,
  authorization_errors_fatal: true,
  announce: false,
  invite_only: false,
  is_web_public: false,
  is_default_stream: false,
  history_public_to_subscribers: undefined,
  message_retention_days: undefined,
  topics_policy: undefined,
  folder_id: undefined,
  can_add_subscribers_group: undefined,
  can_administer_channel_group: undefined,
  can_create_topic_group: undefined,
  can_delete_any_message_group: undefined,
  can_delete_own_message_group: undefined,
  can_move_messages_out_of_channel_group: undefined,
  can_move_messages_within_channel_group: undefined,
  can_remove_subscribers_group: undefined,
  can_resolve_topics_group: undefined,
  can_send_message_group: undefined,
  can_subscribe_group: undefined,
  send_new_subscription_messages: true,
};
