import {
  createChannel,
  getChannel,
  getChannelId,
  getChannels,
  getSubscribers,
} from '@heddle/api/endpoints/channels.ts';
import { accessChannel } from '../../access/channels.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { addSubscribers } from '../subscriptions/actions.ts';
import { activeUsers } from '../subscriptions/queries.ts';
import { createChannel as create } from './actions.ts';
import { listChannels } from './listing.ts';
import { newChannelSettings } from './new-channel.ts';
import { noticeCreated } from './notices.ts';
import { presentChannel } from './present.ts';
import { activeSubscribers, inactiveChannels, viewChannel } from './queries.ts';

export function channelRoutes(rooms: Rooms): readonly HeddleRoute[] {
  return [
    route(createChannel, {}, async ({ parameters, organization, caller }) => {
      const channel = await organization.changeBy(caller, async (change, creator) => {
        const { directory } = change;
        const settings = newChannelSettings(directory, creator, parameters);
        const subscribers = activeUsers(directory, parameters.subscribers);
        const organizationUrl = rooms.address.of(directory.organization.subdomain);
        const created = await create(
          change,
          { ...settings, name: parameters.name, description: parameters.description },
          { creatorId: creator.id, organizationUrl },
        );
        const userIds = subscribers.map((user) => user.id);
        await addSubscribers(change, [{ channel: created, userIds }]);
        noticeCreated(change, [created], userIds, { actor: creator, organizationUrl });
        return created;
      });
      return { id: channel.id };
    }),

    route(getChannels, {}, async ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const present = (channel: ChannelRecord, inactive: ReadonlySet<number>) => ({
        ...presentChannel(viewChannel(directory, channel, inactive)),
        ...(parameters.include_default ? { is_default: channel.isDefault } : {}),
      });
      const channels = listChannels(directory, caller, parameters);
      const inactive = await inactiveChannels(rooms.db, organization.id, channels);
      return { streams: channels.map((channel) => present(channel, inactive)) };
    }),

    route(getChannel, {}, async ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const channel = accessChannel(directory, caller, parameters.stream_id, 'know');
      const inactive = await inactiveChannels(rooms.db, organization.id, [channel]);
      return { stream: presentChannel(viewChannel(directory, channel, inactive)) };
    }),

    route(getChannelId, {}, ({ parameters, organization, caller }) => {
      const channel = accessChannel(organization.directory, caller, parameters.stream, 'know');
      return { stream_id: channel.id };
    }),

    route(getSubscribers, {}, ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const channel = accessChannel(directory, caller, parameters.stream_id, 'know');
      return { subscribers: activeSubscribers(directory, channel.id) };
    }),
  ];
}
