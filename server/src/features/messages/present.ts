import type { announcedMessage } from '@heddle/api/objects/message.ts';
import type { Static } from 'typebox';
import { shownTopic } from '../topic-names.ts';
import type { MessageContent } from './message-body.ts';

export { type MessageBody, type MessageContent, messageBody } from './message-body.ts';

export interface MessagePresentation {
  /** HTML, or the text as it was written. */
  readonly applyMarkdown: boolean;
  /** The client computes gravatar pictures itself: it gets null for them. */
  readonly clientGravatar: boolean;
  readonly knowsEmptyTopic: boolean;
}

/** A message as the wire has it, without what is personal (interface document, "Message"). */
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
    topic_links: [],
    is_me_message: message.isMeMessage,
    reactions: [],
    submessages: [],
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

function presentParticipant(participant: MessageContent['participants'][number]) {
  return {
    id: participant.id,
    email: participant.email,
    full_name: participant.fullName,
    is_mirror_dummy: false,
  };
}
