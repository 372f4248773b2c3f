import { completed } from '@heddle/api/contract.ts';
import * as endpoints from '@heddle/api/endpoints/subscriptions.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { accessChannel, knownChannel } from '../../../access/channels.ts';
import { accessPerson } from '../../../access/people.ts';
import { readValue } from '../../../db/prepared.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { activeSubscribers, byName, viewChannel } from '../../channels/queries.ts';
import { carryOut, together } from './batches.ts';
import { settingsKind } from './changing-settings.ts';
import { presentSubscription } from './present.ts';
import { selectSubscriptions, toStored } from './queries.ts';
import { planSubscribing } from './subscribing.ts';
import { planUnsubscribing } from './unsubscribing.ts';

export function subscriptionRoutes(app: AppContext): readonly HeddleRoute[] {
  const urlOf = (directory: Directory) => app.address.of(directory.organization.subdomain);

  return [
    route(endpoints.getSubscriptions, {}, async ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const rows = await organization.read(caller, ({ db }) =>
        readValue(db, selectSubscriptions(organization.id, caller.id)),
      );
      return {
        subscriptions: rows
          .map(toStored)
          .flatMap(({ channelId, isActive, settings }) => {
            const channel = directory.channel(channelId);
            if (!isActive || channel === undefined || channel.isArchived) return [];
            const subscribers =
              parameters.include_subscribers === false ? undefined : activeSubscribers(directory, channelId);
            return presentSubscription(viewChannel(directory, channel), settings, subscribers);
          })
          .sort(byName),
      };
    }),

    route(endpoints.subscribe, {}, async ({ parameters, organization, caller }) => {
      const { steps, answer } = await organization.read(caller, async ({ directory, caller: user }) =>
        planSubscribing(directory, { caller: user, parameters, organizationUrl: urlOf(directory) }),
      );
      await carryOut(organization, caller, steps);
      return answer();
    }),

    route(endpoints.unsubscribe, {}, async ({ parameters, organization, caller }) => {
      const { subscriptions: names, principals = [] } = parameters;
      const { steps, answer } = await organization.read(caller, async ({ directory, caller: user }) =>
        planUnsubscribing(directory, { caller: user, names, principals }),
      );
      await carryOut(organization, caller, steps);
      return answer();
    }),

    route(endpoints.updateSubscriptions, {}, async ({ parameters, organization, caller }) => {
      if (parameters.add.length === 0 && parameters.delete.length === 0) {
        throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
      }
      const added = completed(endpoints.subscribe, { subscriptions: parameters.add });
      const [joining, leaving] = await organization.read(caller, async ({ directory, caller: user }) => [
        planSubscribing(directory, { caller: user, parameters: added, organizationUrl: urlOf(directory) }),
        planUnsubscribing(directory, { caller: user, names: parameters.delete, principals: [] }),
      ]);
      await carryOut(organization, caller, together(joining.steps, leaving.steps));
      return { ...joining.answer(), ...leaving.answer() };
    }),

    route(endpoints.updateSubscriptionSettings, {}, async ({ parameters, organization, caller }) => {
      await organization.inGroup(settingsKind, { callerId: caller.id, settings: parameters.subscription_data });
      return {};
    }),

    route(endpoints.getUserChannels, {}, ({ parameters, organization: { directory }, caller }) => {
      const user = personNamed(directory, caller, parameters.user_id);
      const ids = directory.subscriptions.channelsOf(user.id).filter((id) => {
        return knownChannel(directory, caller, id) !== undefined;
      });
      return { subscribed_channel_ids: ids.sort((a, b) => a - b) };
    }),

    route(endpoints.getSubscriptionStatus, {}, ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const user = personNamed(directory, caller, parameters.user_id);
      const channel = accessChannel(directory, caller, parameters.stream_id, 'know');
      return { is_subscribed: directory.subscriptions.has(channel.id, user.id) };
    }),
  ];
}

/** @throws ApiError `BAD_REQUEST`: the user does not exist or is inaccessible to the caller */
function personNamed(directory: Directory, caller: UserRecord, userId: number): UserRecord {
  const user = directory.user(userId);
  if (user === undefined) throw badRequest('No such user');
  return accessPerson(directory, caller, user);
}
