import { FlagBit } from '../../db/flag-bits.ts';
import type { Directory } from '../../directory/directory.ts';
import { contains } from '../../directory/lists.ts';
import type { Presenter } from '../../directory/presenters.ts';
import type { LoggedEvent } from '../../log/event.ts';
import type { Queue } from '../../log/queue.ts';
import { type FlagFacts, flagsMember } from './flags.ts';
import { messageBody } from './message-body.ts';
import { presentMessage } from './present.ts';
import { isInNarrow } from './queue-narrow.ts';

export const messagePresenter: Presenter = {
  variant: ({ applyMarkdown, clientGravatar, capabilities }) =>
    `${Number(applyMarkdown)}${Number(clientGravatar)}${Number(capabilities.emptyTopicName)}`,

  present(event, { applyMarkdown, clientGravatar, capabilities }) {
    const presentation = { applyMarkdown, clientGravatar, knowsEmptyTopic: capabilities.emptyTopicName };
    return { type: 'message', message: presentMessage(event.messageId ?? 0, messageBody(event), presentation) };
  },

  personal(event, queue, _, directory) {
    const { echo } = messageBody(event);
    const flags = flagsMember(arrival(directory, event, queue));
    if (echo?.queueId !== queue.id) return flags;
    return `${flags},"local_message_id":${JSON.stringify(echo.localId)}`;
  },

  wants: (event, queue, _, directory) => isInNarrow(event, queue, () => arrival(directory, event, queue)),
};

/** What the message is to the queue's user when it arrives. */
function arrival(directory: Directory, event: LoggedEvent, queue: Queue): FlagFacts {
  const body = messageBody(event);
  const { readBySender, readBy, sender, mentioned, topicMentioned, alerted, mentionsChannel, channel } = body;
  const { userId, settings } = queue;
  // Queues that follow all public channels hear of messages that mention others only.
  const isForUser = (channelId: number) =>
    !settings.allPublicChannels || directory.subscriptions.hadAt(channelId, userId, event.id);
  return {
    bits:
      (contains(mentioned, userId) ? FlagBit.mentioned : 0) |
      (contains(topicMentioned, userId) ? FlagBit.topicMentioned : 0) |
      (alerted !== undefined && contains(alerted, userId) ? FlagBit.alerted : 0),
    isUnread: !((readBySender && sender.id === userId) || (readBy !== undefined && contains(readBy, userId))),
    received: true,
    mentionsChannel: mentionsChannel && (channel === null || isForUser(channel.id)),
  };
}
