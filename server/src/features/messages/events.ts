import type { LoggedEvent } from '../../log/event.ts';
import type { EventPresenter, Presenters } from '../../log/presentation.ts';
import type { Queue, QueueSettings } from '../../log/queue.ts';
import type { Rooms } from '../rooms.ts';
import { FlagBit, type FlagFacts, wireFlags } from './flag-bits.ts';
import { shownTopic } from './limits.ts';
import { messageBody } from './message-body.ts';
import { presentMessage } from './present.ts';
import { isInNarrow } from './queue-narrow.ts';

export function presentMessages(presenters: Presenters, rooms: Pick<Rooms, 'organizations'>): void {
  presenters.add('message', messagePresenter(rooms));
  presenters.add('update_message_flags', flagsPresenter);
}

function messagePresenter(rooms: Pick<Rooms, 'organizations'>): EventPresenter {
  return {
    variant: ({ applyMarkdown, clientGravatar, capabilities }) =>
      `${Number(applyMarkdown)}${Number(clientGravatar)}${Number(capabilities.emptyTopicName)}`,

    present(event, { applyMarkdown, clientGravatar, capabilities }) {
      const presentation = { applyMarkdown, clientGravatar, knowsEmptyTopic: capabilities.emptyTopicName };
      return { type: 'message', message: presentMessage(event.messageId ?? 0, messageBody(event), presentation) };
    },

    personal(event, queue) {
      const { echo } = messageBody(event);
      const flags = `"flags":${JSON.stringify(wireFlags(arrival(rooms, event, queue)))}`;
      if (echo?.queueId !== queue.id) return flags;
      return `${flags},"local_message_id":${JSON.stringify(echo.localId)}`;
    },

    wants: (event, queue) => isInNarrow(event, queue, () => arrival(rooms, event, queue)),
  };
}

/** What the message is to the queue's user when it arrives. */
function arrival({ organizations }: Pick<Rooms, 'organizations'>, event: LoggedEvent, queue: Queue): FlagFacts {
  const { readBySender, sender, mentioned, topicMentioned, mentionsChannel, channel } = messageBody(event);
  const { userId, settings } = queue;
  // Queues that follow all public channels hear of messages that mention others only.
  const isForUser = (channelId: number) =>
    !settings.allPublicChannels ||
    organizations.inMemoryById(event.organizationId)?.directory.subscriptions.hadAt(channelId, userId, event.id) ===
      true;
  return {
    bits:
      (mentioned.includes(userId) ? FlagBit.mentioned : 0) |
      (topicMentioned.includes(userId) ? FlagBit.topicMentioned : 0),
    messageId: 1,
    readThrough: readBySender && sender.id === userId ? 1 : 0,
    received: true,
    mentionsChannel: mentionsChannel && channel !== null && isForUser(channel.id),
  };
}

/** Where a message that became unread stands. */
export interface UnreadDetail {
  readonly messageId: number;
  readonly mentioned: boolean;
  readonly place:
    | { readonly channelId: number; readonly topic: string; readonly isMuted: boolean }
    | { readonly otherUserIds: readonly number[] };
}

/** The body of an `update_message_flags` event: for its user alone. */
export interface FlagsBody {
  readonly op: 'add' | 'remove';
  readonly flag: string;
  readonly messageIds: readonly number[];
  /** Only where `read` was removed. */
  readonly details: readonly UnreadDetail[] | null;
}

const flagsPresenter: EventPresenter = {
  variant: ({ capabilities }) => `${Number(capabilities.emptyTopicName)}`,

  present(event, settings) {
    const { op, flag, messageIds, details } = event.body as FlagsBody;
    return {
      type: 'update_message_flags',
      op,
      operation: op,
      flag,
      messages: messageIds,
      all: false,
      ...(details !== null && {
        message_details: Object.fromEntries(
          details.map((detail) => [detail.messageId, presentUnread(detail, settings)]),
        ),
      }),
    };
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
