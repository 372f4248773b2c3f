import {
  createChannel,
  getChannel,
  getChannelId,
  getChannels,
  getSubscribers,
} from '@heddle/api/endpoints/channels.ts';
import { accessChannel } from '../../../access/channels.ts';
import type { ChannelRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { serializedList } from '../../../http/answers/serialized-list.ts';
import { listChannels } from '../../channels/listing.ts';
import { presentChannel } from '../../channels/present.ts';
import { activeSubscribers, viewChannel } from '../../channels/queries.ts';
import { carryOut } from '../subscriptions/batches.ts';
import { planCreating } from './creating.ts';
import { channelChangingRoutes } from './routes-of-changes.ts';

export function channelRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    ...channelChangingRoutes(app),

    route(createChannel, {}, async ({ parameters, organization, caller }) => {
      const { steps, answer } = await organization.read(caller, async ({ directory, caller: creator }) => {
        const organizationUrl = app.address.of(directory.organization.subdomain);
        return planCreating(directory, { creator, parameters, organizationUrl });
      });
      await carryOut(organization, caller, steps);
      return answer();
    }),

    route(getChannels, {}, async ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const present = (channel: ChannelRecord) => ({
        ...presentChannel(viewChannel(directory, channel)),
        ...(parameters.include_default ? { is_default: channel.isDefault } : {}),
      });
      return { streams: await serializedList(listChannels(directory, caller, parameters), present) };
    }),

    route(getChannel, {}, ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const channel = accessChannel(directory, caller, parameters.stream_id, 'know');
      return { stream: presentChannel(viewChannel(directory, channel)) };
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
