import { Role } from '../../directory/records.ts';
import type { LoggedEvent } from '../../log/event.ts';
import type { EventPresenter } from '../../log/presentation.ts';
import type { QueueSettings } from '../../log/queue.ts';
import type { Rooms } from '../rooms.ts';
import { type ChannelEvent, type DefaultChannelsEvent, presentChannel } from './present.ts';

export const channelPresenter: EventPresenter = {
  variant: ({ capabilities }) => (capabilities.archivedChannels ? 'archived' : ''),
  present: presentChannelEvent,
};

export function defaultChannelsPresenter(rooms: Pick<Rooms, 'organizations'>): EventPresenter {
  return {
    present: (event) => ({
      type: 'default_streams',
      default_streams: (event.body as DefaultChannelsEvent).channelIds,
    }),
    // Guests join by invitation to channels that are chosen for them.
    wants: (event, queue) =>
      rooms.organizations.inMemoryById(event.organizationId)?.directory.user(queue.userId)?.role !== Role.guest,
  };
}

function presentChannelEvent(event: LoggedEvent, settings: QueueSettings): object | null {
  const body = event.body as ChannelEvent;
  const shows = (isArchived: boolean) => !isArchived || settings.capabilities.archivedChannels;
  switch (body.op) {
    case 'create': {
      const views = body.views.filter(({ channel }) => shows(channel.isArchived));
      return views.length === 0 ? null : { type: 'stream', op: 'create', streams: views.map(presentChannel) };
    }
    case 'delete': {
      const ids = body.channels.filter(({ isArchived }) => shows(isArchived)).map(({ id }) => id);
      if (ids.length === 0) return null;
      return { type: 'stream', op: 'delete', stream_ids: ids, streams: ids.map((id) => ({ stream_id: id })) };
    }
    case 'first-message':
      return {
        type: 'stream',
        op: 'update',
        stream_id: body.channelId,
        name: body.name,
        property: 'first_message_id',
        value: event.messageId,
      };
  }
}
