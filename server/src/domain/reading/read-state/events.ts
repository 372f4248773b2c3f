import { isChannelShown } from '../../../directory/archived.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import type { QueueSettings } from '../../../log/queue.ts';
import { shownTopic } from '../../texts/shared/topic-names.ts';

/** A message that became unread, with its topic or conversation. */
export interface UnreadDetail {
  readonly messageId: number;
  readonly mentioned: boolean;
  readonly place:
    | { readonly channelId: number; readonly topic: string; readonly isMuted: boolean }
    | { readonly otherUserIds: readonly number[] };
}

/** The body of an `update_message_flags` event: a change by the user, or one that applies to a whole audience. */
export interface FlagsBody {
  readonly op: 'add' | 'remove';
  readonly flag: string;
  readonly messageIds: readonly number[];
  /** Only if `read` was removed. */
  readonly details: readonly UnreadDetail[] | null;
  /** Everything is read now. The event names no message. */
  readonly all?: true;
  /** The channel, if the audience is a rule over its subscribers. */
  readonly channelId?: number;
}

export const flagsPresenter: Presenter = {
  variant: ({ capabilities }) => `${Number(capabilities.emptyTopicName)}${Number(capabilities.archivedChannels)}`,

  present(event, settings, _, directory) {
    const { op, flag, all = false, ...body } = event.body as FlagsBody;
    const details = body.details?.filter(
      ({ place }) => !('channelId' in place) || isChannelShown(directory, settings, place.channelId, event.id),
    );
    if (details?.length === 0) return null;
    const messageIds = details === undefined ? body.messageIds : details.map(({ messageId }) => messageId);
    return {
      type: 'update_message_flags',
      op,
      operation: op,
      flag,
      messages: messageIds,
      all,
      ...(details !== undefined && {
        message_details: Object.fromEntries(
          details.map((detail) => [detail.messageId, presentUnread(detail, settings)]),
        ),
      }),
    };
  },

  // Queues that follow all public channels get no events about the read state of others.
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
