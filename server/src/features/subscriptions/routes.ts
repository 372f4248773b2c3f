import { completed } from '@heddle/api/contract.ts';
import * as endpoints from '@heddle/api/endpoints/subscriptions.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { accessChannel } from '../../access/channels.ts';
import { readValue } from '../../db/prepared.ts';
import type { Directory } from '../../directory/directory.ts';
import { activeSubscribers, inactiveChannels, viewChannel } from '../channels/queries.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { settingsKind } from './changing-settings.ts';
import { presentSubscription } from './present.ts';
import { selectSubscriptions, toStored } from './queries.ts';
import { subscribe } from './subscribing.ts';
import { unsubscribe } from './unsubscribing.ts';

export function subscriptionRoutes(rooms: Rooms): readonly HeddleRoute[] {
  const urlOf = (directory: Directory) => rooms.address.of(directory.organization.subdomain);

  return [
    route(endpoints.getSubscriptions, {}, async ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const [rows, inactive] = await organization.readBy(caller, ({ db }) =>
        Promise.all([
          readValue(db, selectSubscriptions(organization.id, caller.id)),
          inactiveChannels(db, organization.id, directory.channels.values()),
        ]),
      );
      return {
        subscriptions: rows.map(toStored).flatMap(({ channelId, isActive, settings }) => {
          const channel = directory.channel(channelId);
          if (!isActive || channel === undefined || channel.isArchived) return [];
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
          parameters: completed(endpoints.subscribe, { subscriptions: parameters.add }),
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
