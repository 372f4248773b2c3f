import { isChannelShown } from '../../../directory/archived.ts';
import { contains } from '../../../directory/lists.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import { shownTopic } from '../../texts/shared/topic-names.ts';

/**
 * The body of a `delete_message` event: messages of one topic or one direct conversation. Older clients expect one
 * event per message. So there are as many events as messages, and all but the first are only for those clients.
 */
export interface DeletionBody {
  /** All of them, ascending. Older clients use only the first. */
  readonly messageIds: readonly number[];
  readonly isForOlderClients: boolean;
  /** Null for direct messages. */
  readonly place: { readonly channelId: number; readonly topic: string } | null;
  /** Users who are not subscribed, and had any of them or deleted them. */
  readonly others: readonly number[];
  /** The messages still exist. They were moved to a channel that the audience cannot read. */
  readonly stay?: boolean;
}

export const deletionPresenter: Presenter = {
  variant: ({ capabilities }) => `${Number(capabilities.bulkMessageDeletion)}${Number(capabilities.emptyTopicName)}`,

  present(event, { capabilities }) {
    const { messageIds, isForOlderClients, place } = event.body as DeletionBody;
    if (isForOlderClients && capabilities.bulkMessageDeletion) return null;
    const where =
      place === null
        ? { message_type: 'private' }
        : {
            message_type: 'stream',
            stream_id: place.channelId,
            topic: shownTopic(place.topic, capabilities.emptyTopicName),
          };
    if (capabilities.bulkMessageDeletion) return { type: 'delete_message', message_ids: messageIds, ...where };
    return { type: 'delete_message', message_id: messageIds[0], ...where };
  },

  // Queues that follow all public channels get changes only of messages that their user has.
  wants({ id, body }, { userId, settings }, _, directory) {
    const { place, others } = body as DeletionBody;
    if (place === null) return true;
    if (!isChannelShown(directory, settings, place.channelId, id)) return false;
    if (!settings.allPublicChannels) return true;
    return directory.subscriptions.hadAt(place.channelId, userId, id) || contains(others, userId);
  },

  erases(event) {
    const { stay, messageIds } = event.body as DeletionBody;
    return stay ? [] : messageIds;
  },
};
