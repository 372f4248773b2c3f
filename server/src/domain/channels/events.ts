import type { Presenter } from '../../directory/presenters.ts';
import type { LoggedEvent } from '../../log/event.ts';
import type { QueueSettings } from '../../log/queue.ts';
import { type ChannelEvent, type DefaultChannelsEvent, presentChannel } from './present.ts';

export const channelPresenter: Presenter = {
  variant: ({ capabilities }) => (capabilities.archivedChannels ? 'archived' : ''),
  present: presentChannelEvent,
};

export const defaultChannelsPresenter: Presenter = {
  present: (event) => ({
    type: 'default_streams',
    default_streams: (event.body as DefaultChannelsEvent).channelIds,
  }),
};

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
      return deletedEvent(ids);
    }
    case 'visibility':
      if (!shows(body.isArchived)) return null;
      return {
        type: 'stream',
        op: 'update',
        stream_id: body.channelId,
        name: body.name,
        property: 'invite_only',
        value: body.isPrivate,
        history_public_to_subscribers: body.historyPublicToSubscribers,
        is_web_public: body.isWebPublic,
      };
    case 'update': {
      if (!shows(body.isArchived)) return null;
      const { property, value, renderedDescription } = body;
      return {
        type: 'stream',
        op: 'update',
        stream_id: body.channelId,
        name: body.name,
        property,
        value,
        ...(renderedDescription !== undefined && { rendered_description: renderedDescription }),
      };
    }
    case 'archive':
      return shows(true) ? archivedEvent(body.channelId, body.name, true) : deletedEvent([body.channelId]);
    case 'unarchive': {
      const { id, name } = body.view.channel;
      if (shows(true)) return archivedEvent(id, name, false);
      return { type: 'stream', op: 'create', streams: [presentChannel(body.view)] };
    }
    case 'first-message':
      if (!shows(body.isArchived ?? false)) return null;
      return {
        type: 'stream',
        op: 'update',
        stream_id: body.channelId,
        name: body.name,
        property: 'first_message_id',
        value: body.firstMessageId === undefined ? event.messageId : body.firstMessageId,
      };
  }
}

function deletedEvent(ids: readonly number[]): object {
  return { type: 'stream', op: 'delete', stream_ids: ids, streams: ids.map((id) => ({ stream_id: id })) };
}

function archivedEvent(id: number, name: string, value: boolean): object {
  return { type: 'stream', op: 'update', stream_id: id, name, property: 'is_archived', value };
}
