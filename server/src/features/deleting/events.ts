import { contains } from '../../directory/lists.ts';
import type { Presenter } from '../../directory/presenters.ts';
import { shownTopic } from '../topic-names.ts';

/**
 * The body of a `delete_message` event: messages of one topic, or of one direct conversation, of which older clients are told one an event.
 * So there are as many events as messages, and all but the first are for those clients alone.
 */
export interface DeletionBody {
  /** All of them, ascending; for older clients the first. */
  readonly messageIds: readonly number[];
  readonly isForOlderClients: boolean;
  /** Null for direct messages. */
  readonly place: { readonly channelId: number; readonly topic: string } | null;
  /** Who is not subscribed, and had any of them all the same. */
  readonly others: readonly number[];
  /** They are gone only for those who are told: they were moved to where these may not read. */
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

  // Queues that follow all public channels hear of what happens to messages only where their user has these.
  wants({ id, body }, { userId, settings }, _, directory) {
    const { place, others } = body as DeletionBody;
    if (place === null || !settings.allPublicChannels) return true;
    return directory.subscriptions.hadAt(place.channelId, userId, id) || contains(others, userId);
  },

  erases(event) {
    const { stay, messageIds } = event.body as DeletionBody;
    return stay ? [] : messageIds;
  },
};
