import type { Presenter } from '../../directory/presenters.ts';
import type { QueueSettings } from '../../log/queue.ts';
import { shownTopic } from '../topic-names.ts';

/** Where a message that became unread stands. */
export interface UnreadDetail {
  readonly messageId: number;
  readonly mentioned: boolean;
  readonly place:
    | { readonly channelId: number; readonly topic: string; readonly isMuted: boolean }
    | { readonly otherUserIds: readonly number[] };
}

/** The body of an `update_message_flags` event: what its users have done, or what holds for all of them. */
export interface FlagsBody {
  readonly op: 'add' | 'remove';
  readonly flag: string;
  readonly messageIds: readonly number[];
  /** Only where `read` was removed. */
  readonly details: readonly UnreadDetail[] | null;
  /** Everything is read now; no message is named. */
  readonly all?: true;
  /** Where it is for a channel's subscribers by that rule: which one's. */
  readonly channelId?: number;
}

export const flagsPresenter: Presenter = {
  variant: ({ capabilities }) => `${Number(capabilities.emptyTopicName)}`,

  present(event, settings) {
    const { op, flag, messageIds, details, all = false } = event.body as FlagsBody;
    return {
      type: 'update_message_flags',
      op,
      operation: op,
      flag,
      messages: messageIds,
      all,
      ...(details !== null && {
        message_details: Object.fromEntries(
          details.map((detail) => [detail.messageId, presentUnread(detail, settings)]),
        ),
      }),
    };
  },

  // Queues that follow all public channels hear nothing of what others have read.
  wants({ id, body }, { userId, settings }, _, directory) {
    const { channelId } = body as FlagsBody;
    if (channelId === undefined || !settings.allPublicChannels) return true;
    return directory.subscriptions.hadAt(channelId, userId, id);
  },
};

function presentUnread({ place, mentioned }: UnreadDetail, { capabilities }: QueueSettings): object {
  const mention = mentioned ? { mentioned } : {};
  if ('otherUserIds' in place) return { type: 'private', ...mention, user_ids: place.otherUserIds };
  return {
    type: 'stream',
    ...mention,
    stream_id: place.channelId,
    topic: shownTopic(place.topic, capabilities.emptyTopicName),
    unmuted_stream_msg: !place.isMuted,
  };
}
