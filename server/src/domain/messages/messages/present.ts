import type { announcedMessage, message as fetchedMessage } from '@heddle/api/objects/message.ts';
import type { editHistoryEntry } from '@heddle/api/objects/message-edit.ts';
import type { Static } from 'typebox';
import { shownTopic } from '../../texts/shared/topic-names.ts';
import { presentReaction } from '../reactions/present.ts';
import { presentSubmessage } from '../submessages/present.ts';
import type { MessageEdit } from './edits.ts';
import type { FetchedMessage } from './fetched-message.ts';
import type { MessageContent } from './message-body.ts';

export interface MessagePresentation {
  /** HTML instead of the text as it was written. */
  readonly applyMarkdown: boolean;
  /** The client computes Gravatar pictures itself and gets null for them. */
  readonly clientGravatar: boolean;
  readonly knowsEmptyTopic: boolean;
}

/** A message in the form of the API, without its personal fields (interface document, "Message"). */
export function presentMessage(
  id: number,
  message: MessageContent,
  presentation: MessagePresentation,
): Static<typeof announcedMessage> {
  const { sender, channel } = message;
  return {
    id,
    sender_id: sender.id,
    content: presentation.applyMarkdown ? message.renderedContent : message.content,
    recipient_id: message.recipientId,
    timestamp: message.sentAt,
    client: message.client,
    subject: channel === null ? '' : shownTopic(message.topic, presentation.knowsEmptyTopic),
    topic_links: [...(message.topicLinks ?? [])],
    is_me_message: message.isMeMessage,
    reactions: [],
    submessages: (message.submessages ?? []).map((submessage) => presentSubmessage(id, submessage)),
    sender_full_name: sender.fullName,
    sender_email: sender.email,
    sender_realm_str: message.subdomain,
    display_recipient: channel?.name ?? message.participants.map(presentParticipant),
    type: channel === null ? 'private' : 'stream',
    ...(channel !== null && { stream_id: channel.id }),
    avatar_url: presentation.clientGravatar && sender.avatar.isGravatar ? null : sender.avatar.url,
    content_type: presentation.applyMarkdown ? 'text/html' : 'text/x-markdown',
  };
}

export interface FetchedPresentation extends MessagePresentation {
  /** Whether the client expects the older name of the namespace of extra emoji. */
  readonly readsOlderNames: boolean;
}

/** A message in the form in which a user fetches it. */
export function presentFetched(
  { id, content, flags, reactions, editedAt, movedAt, edits }: FetchedMessage,
  presentation: FetchedPresentation,
): Static<typeof fetchedMessage> {
  return {
    ...presentMessage(id, content, presentation),
    flags: [...flags],
    reactions: reactions.map((reaction) => presentReaction(reaction, presentation.readsOlderNames)),
    ...(editedAt !== null && { last_edit_timestamp: editedAt }),
    ...(movedAt !== null && { last_moved_timestamp: movedAt }),
    ...(edits !== null && { edit_history: edits.map((edit) => presentEdit(edit, presentation.knowsEmptyTopic)) }),
  };
}

/** One entry of the edit history (interface document, "Edit history entry fields"). */
export function presentEdit(edit: MessageEdit, knowsEmptyTopic: boolean): Static<typeof editHistoryEntry> {
  const { userId, at, content, topic, channel } = edit;
  return {
    user_id: userId,
    timestamp: at,
    ...(content !== null && { prev_content: content.text, prev_rendered_content: content.html }),
    ...(topic !== null && {
      prev_topic: shownTopic(topic.before, knowsEmptyTopic),
      topic: shownTopic(topic.after, knowsEmptyTopic),
    }),
    ...(channel !== null && { prev_stream: channel.before, stream: channel.after }),
  };
}

function presentParticipant(participant: MessageContent['participants'][number]) {
  return {
    id: participant.id,
    email: participant.email,
    full_name: participant.fullName,
    is_mirror_dummy: false,
  };
}
