import type { EventOfType, Message } from '../../calls/types.ts';
import { isResolved, type Place, placeOf, unresolvedName } from './places.ts';

/** A reaction of one user. `emojiCode` is unique within `type`. */
export interface Reaction {
  readonly type: Message['reactions'][number]['reaction_type'];
  readonly emojiCode: string;
  readonly emojiName: string;
  readonly userId: number;
}

/** What a widget (poll, to-do list) consists of: the first one defines it, the others change it. */
export interface Submessage {
  readonly id: number;
  readonly senderId: number;
  readonly type: string;
  /** JSON. */
  readonly content: string;
}

/** The personal flags of a message. */
export interface MessageFlags {
  readonly isRead: boolean;
  readonly isStarred: boolean;
  readonly isCollapsed: boolean;
  /** The message mentions the user, alone or in a group. */
  readonly isMentioned: boolean;
  /** It mentions everybody in the channel or conversation. */
  readonly isChannelMentioned: boolean;
  /** It mentions all participants of its topic. */
  readonly isTopicMentioned: boolean;
  readonly hasAlertWord: boolean;
  /** The user joined the conversation later. */
  readonly isHistorical: boolean;
}

/** A message as the user sees it. Records do not change: a change replaces the record. */
export interface MessageRecord extends MessageFlags {
  readonly id: number;
  readonly place: Place;
  readonly senderId: number;
  /** Name, address and picture of the sender when the message was fetched, for senders who are not in the directory. */
  readonly senderName: string;
  readonly senderEmail: string;
  readonly avatarUrl: string | null;
  /** HTML. It must be sanitized before it enters a document. */
  readonly content: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** The text describes an action of its sender (`/me`). */
  readonly isMe: boolean;
  readonly reactions: readonly Reaction[];
  readonly submessages: readonly Submessage[];
  readonly topicLinks: Message['topic_links'];
  /** Seconds since the epoch. Undefined if the content was never edited. */
  readonly editedAt: number | undefined;
  readonly movedAt: number | undefined;
  /** Of a search: the content and the topic as HTML with highlighted matches. */
  readonly matchContent: string | undefined;
  readonly matchTopic: string | undefined;
}

/** @param flags the flags of the wire */
export function flagsOf(flags: readonly string[]): MessageFlags {
  return {
    isRead: flags.includes('read'),
    isStarred: flags.includes('starred'),
    isCollapsed: flags.includes('collapsed'),
    isMentioned: flags.includes('mentioned'),
    isChannelMentioned: flags.includes('stream_wildcard_mentioned'),
    isTopicMentioned: flags.includes('topic_wildcard_mentioned'),
    hasAlertWord: flags.includes('has_alert_word'),
    isHistorical: flags.includes('historical'),
  };
}

/** The field of each flag that users can change. */
export const CHANGEABLE_FLAGS: Readonly<Record<string, 'isRead' | 'isStarred' | 'isCollapsed'>> = {
  read: 'isRead',
  starred: 'isStarred',
  collapsed: 'isCollapsed',
};

type WireMessage = Omit<Message, 'flags'> & { readonly flags?: Message['flags'] };

/** @param flags those of an event, whose message has none */
export function recordOf(message: WireMessage, ownId: number, flags = message.flags ?? []): MessageRecord {
  return {
    id: message.id,
    place: placeOf(message, ownId),
    senderId: message.sender_id,
    senderName: message.sender_full_name,
    senderEmail: message.sender_email,
    avatarUrl: message.avatar_url,
    content: message.content,
    timestamp: message.timestamp,
    isMe: message.is_me_message,
    reactions: message.reactions.map(reactionOf),
    submessages: message.submessages.map((one) => ({
      id: one.id,
      senderId: one.sender_id,
      type: one.msg_type,
      content: one.content,
    })),
    topicLinks: message.topic_links,
    editedAt: message.last_edit_timestamp,
    movedAt: message.last_moved_timestamp,
    matchContent: message.match_content,
    matchTopic: message.match_subject,
    ...flagsOf(flags),
  };
}

function reactionOf(one: Message['reactions'][number]): Reaction {
  return { type: one.reaction_type, emojiCode: one.emoji_code, emojiName: one.emoji_name, userId: one.user_id };
}

/** Returns the record after a reaction was added or removed. Each user has one reaction per emoji. */
export function withReaction(record: MessageRecord, event: Omit<EventOfType<'reaction'>, 'user'>): MessageRecord {
  const reaction = reactionOf(event);
  const others = record.reactions.filter((one) => !isSameReaction(one, reaction));
  const isKnown = others.length < record.reactions.length;
  if (isKnown === (event.op === 'add')) return record;
  return { ...record, reactions: isKnown ? others : [...others, reaction] };
}

function isSameReaction(one: Reaction, other: Reaction): boolean {
  return one.userId === other.userId && one.emojiCode === other.emojiCode && one.type === other.type;
}

export function withSubmessage(record: MessageRecord, event: EventOfType<'submessage'>): MessageRecord {
  const added = {
    id: event.submessage_id,
    senderId: event.sender_id,
    type: event.msg_type,
    content: event.content,
  };
  const others = record.submessages.filter(({ id }) => id !== added.id);
  return { ...record, submessages: [...others, added].sort((a, b) => a.id - b.id) };
}

/** Returns the record after an edit or a move, as the event describes it for this user. */
export function withUpdate(record: MessageRecord, event: EventOfType<'update_message'>): MessageRecord {
  let next = record;
  const isEdited = event.message_id === record.id;
  if (isEdited && event.rendered_content !== undefined) {
    // The matches of a search are those in the content before.
    const matchContent = event.rendering_only ? next.matchContent : undefined;
    next = { ...next, content: event.rendered_content, isMe: event.is_me_message ?? next.isMe, matchContent };
    // A preview of a link changes only the rendering.
    if (!event.rendering_only) next = { ...next, editedAt: event.edit_timestamp };
  }
  if (isEdited) next = { ...next, ...flagsOf(event.flags) };
  const { place } = record;
  const isMoved = event.new_stream_id !== undefined || event.subject !== undefined;
  if (!isMoved || place.kind !== 'topic') return next;
  const channelId = event.new_stream_id ?? place.channelId;
  const topic = event.subject ?? place.topic;
  return {
    ...next,
    place: { kind: 'topic', channelId, topic },
    topicLinks: event.topic_links ?? next.topicLinks,
    movedAt: isOnlyResolved(event) ? next.movedAt : event.edit_timestamp,
  };
}

/**
 * Whether the move only sets or removes the mark of resolved topics, which is no move for the reader. The event alone
 * decides, because a record that was loaded after the move already has the new topic.
 */
function isOnlyResolved(event: EventOfType<'update_message'>): boolean {
  const { orig_subject: before, subject: after, new_stream_id: newChannel } = event;
  if (before === undefined || after === undefined || newChannel !== undefined) return false;
  return isResolved(before) !== isResolved(after) && unresolvedName(before) === unresolvedName(after);
}
