import { canAccessId, hasInaccessibleUsers } from '../../../access/people.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import { isChannelShown } from '../../../directory/archived.ts';
import type { Directory } from '../../../directory/directory.ts';
import { contains } from '../../../directory/lists.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { LoggedEvent } from '../../../log/event.ts';
import type { Queue } from '../../../log/queue.ts';
import { type FlagFacts, flagsMember } from './flags.ts';
import { type MessageContent, messageBody } from './message-body.ts';
import { presentMessage } from './present.ts';
import { isInNarrow } from './queue-narrow.ts';
import { fromInaccessible } from './seen-by-guests.ts';

export const messagePresenter: Presenter = {
  variant: ({ applyMarkdown, clientGravatar, capabilities }, viewer, directory, event) =>
    `${Number(applyMarkdown)}${Number(clientGravatar)}${Number(capabilities.emptyTopicName)}${
      canAccessSender(directory, viewer, event) ? '' : ' without access to the sender'
    }`,

  present(event, { applyMarkdown, clientGravatar, capabilities }, viewer, directory) {
    const presentation = { applyMarkdown, clientGravatar, knowsEmptyTopic: capabilities.emptyTopicName };
    const message = messageFor(directory, viewer, event);
    return { type: 'message', message: presentMessage(event.messageId ?? 0, message, presentation) };
  },

  personal(event, queue, _, directory) {
    const { echo } = messageBody(event);
    const flags = flagsMember(arrival(directory, event, queue));
    if (echo?.queueId !== queue.id) return flags;
    return `${flags},"local_message_id":${JSON.stringify(echo.localId)}`;
  },

  wants(event, queue, viewer, directory) {
    const { channel } = messageBody(event);
    if (channel !== null && !isChannelShown(directory, queue.settings, channel.id, event.id)) return false;
    return isInNarrow(
      queue,
      () => messageFor(directory, viewer, event),
      () => arrival(directory, event, queue),
    );
  },
};

/** The message in the form that the viewer can see. */
function messageFor(directory: Directory, viewer: UserRecord, event: LoggedEvent): MessageContent {
  const message = messageBody(event);
  return canAccessSender(directory, viewer, event) ? message : fromInaccessible(directory, message);
}

function canAccessSender(directory: Directory, viewer: UserRecord, event: LoggedEvent): boolean {
  return (
    !hasInaccessibleUsers(directory, viewer) || canAccessId(directory, viewer, messageBody(event).sender.id, event.id)
  );
}

/** The state of the message for the queue's user when it arrives. */
function arrival(directory: Directory, event: LoggedEvent, queue: Queue): FlagFacts {
  const body = messageBody(event);
  const { readBySender, readBy, sender, mentioned, topicMentioned, alerted, mentionsChannel, channel } = body;
  const { userId, settings } = queue;
  const isMentioned = contains(mentioned, userId);
  // A mention of a channel does not concern queues that follow all public channels, nor bots that are mentioned by name
  // and not subscribed.
  const isForUser = (channelId: number) =>
    (!settings.allPublicChannels && !isMentioned) || directory.subscriptions.hadAt(channelId, userId, event.id);
  return {
    bits:
      (isMentioned ? FlagBit.mentioned : 0) |
      (contains(topicMentioned, userId) ? FlagBit.topicMentioned : 0) |
      (alerted !== undefined && contains(alerted, userId) ? FlagBit.alerted : 0),
    isUnread: !((readBySender && sender.id === userId) || (readBy !== undefined && contains(readBy, userId))),
    received: true,
    mentionsChannel: mentionsChannel && (channel === null || isForUser(channel.id)),
  };
}
