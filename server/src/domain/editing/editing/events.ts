import { isChannelShown } from '../../../directory/archived.ts';
import type { Directory } from '../../../directory/directory.ts';
import { contains } from '../../../directory/lists.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import type { LoggedEvent } from '../../../log/event.ts';
import { type FlagFacts, flagsMember } from '../../messages/messages/flags.ts';
import { shownTopic } from '../../texts/shared/topic-names.ts';
import { messageUpdateBody, type PlaceChange } from './body.ts';
import { flagFactsOf } from './readers.ts';

export const messageUpdatePresenter: Presenter = {
  variant: ({ capabilities }) => `${Number(capabilities.emptyTopicName)}`,

  present(event, { capabilities }) {
    const {
      messageId,
      userId,
      at,
      messageIds,
      channel,
      content,
      move,
      isRenderingOnly = false,
    } = messageUpdateBody(event);
    return {
      type: 'update_message',
      user_id: userId,
      edit_timestamp: at,
      message_id: messageId ?? event.messageId,
      message_ids: messageIds,
      rendering_only: isRenderingOnly,
      ...(channel !== null && { stream_id: channel.id, stream_name: channel.name }),
      ...(content !== null && { content: content.after.text, rendered_content: content.after.html }),
      ...(content !== null &&
        !isRenderingOnly && {
          orig_content: content.before.text,
          orig_rendered_content: content.before.html,
          is_me_message: content.isMeMessage,
        }),
      ...(move !== undefined && presentMove(move, capabilities.emptyTopicName)),
    };
  },

  personal: (event, queue, _, directory) => flagsMember(flagsNow(directory, event, queue.userId)),

  // Queues that follow all public channels get changes only of messages that their user has.
  wants(event, { userId, settings }, _, directory) {
    const { channel, move, readers } = messageUpdateBody(event);
    if (channel === null) return true;
    if (!isChannelShown(directory, settings, channel.id, event.id)) return false;
    if (!settings.allPublicChannels) return true;
    const had = (channelId: number) => directory.subscriptions.hadAt(channelId, userId, event.id);
    const isThere = move !== undefined && move.toChannelId !== null && had(move.toChannelId);
    return had(channel.id) || isThere || contains(readers.others, userId);
  },
};

function presentMove(
  { fromTopic, newTopic, topicLinks = [], toChannelId, propagation }: PlaceChange,
  knowsEmptyTopic: boolean,
): object {
  return {
    propagate_mode: propagation,
    orig_subject: shownTopic(fromTopic, knowsEmptyTopic),
    ...(newTopic !== null && { subject: shownTopic(newTopic, knowsEmptyTopic), topic_links: topicLinks }),
    ...(toChannelId !== null && { new_stream_id: toChannelId }),
  };
}

/** The flags of the named message for a user after the change. */
function flagsNow(directory: Directory, event: LoggedEvent, userId: number): FlagFacts {
  const { channel, move, readers } = messageUpdateBody(event);
  const facts = flagFactsOf(readers, userId);
  if (channel === null || move === undefined || move.toChannelId === null) return facts;
  const had = (channelId: number) => directory.subscriptions.hadAt(channelId, userId, event.id);
  const isMember = had(move.toChannelId);
  if (had(channel.id)) return { ...facts, isUnread: facts.isUnread && isMember };
  if (!isMember) return facts;
  const { received, unread } = move.newReaders;
  return { ...facts, received: contains(received, userId), isUnread: contains(unread, userId) };
}
