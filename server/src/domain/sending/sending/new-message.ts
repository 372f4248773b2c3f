import { MAX_MENTIONS_BY_ROWS } from '../../../access/mass-mentions.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import { userBits } from '../../../db/user-bits.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../../../directory/records.ts';
import type { Audience, NewEvent } from '../../../log/event.ts';
import { activityEvent } from '../../channels/present.ts';
import { type Conversation, fingerprint } from '../../messages/conversations/actions.ts';
import type { MessageBody } from '../../messages/messages/message-body.ts';
import { alertedBy } from '../../texts/alert-words/queries.ts';
import { avatarOf } from '../../users/users/avatars.ts';
import { mutesPart } from '../../users/users/mutes.ts';
import type { NewMessage } from './send-message.ts';

/** A new message without its place. */
export interface Written
  extends Pick<
    MessageBody,
    'client' | 'content' | 'renderedContent' | 'isMeMessage' | 'mentioned' | 'mentionsChannel' | 'topicMentioned'
  > {
  readonly sender: UserRecord;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly readBySender: boolean;
  readonly echo: MessageBody['echo'];
  readonly submessages?: MessageBody['submessages'];
}

/** The place of a message in a channel. */
export interface InChannel {
  /** Can be a channel that this change creates. */
  readonly channel: ChannelRecord;
  readonly topic: string;
  readonly topicLinks?: MessageBody['topicLinks'];
  readonly audience: Audience;
  readonly isSubscribed: (userId: number) => boolean;
  /** Mentioned bots that are not subscribed. They always get flag rows, because a mass mention counts only for members. */
  readonly outsiders?: readonly number[];
  /** Users for whom it starts as read, besides the sender and those who have muted the sender. */
  readonly readBy?: readonly number[];
}

/** The rows and events of a new message in a channel, without the ids. */
export function channelMessage(directory: Directory, written: Written, place: InChannel): NewMessage {
  const { channel, topic, topicLinks = [], audience, isSubscribed, outsiders, readBy } = place;
  const body: MessageBody = {
    ...commonBody(directory, written, isSubscribed, readBy),
    recipientId: channel.recipientId,
    channel: { id: channel.id, name: channel.name },
    participants: [],
    topic,
    ...(topicLinks.length > 0 && { topicLinks }),
  };
  return {
    ...rowsOf(body, { channelId: channel.id, conversation: null, isMember: isSubscribed, outsiders }),
    event: { type: 'message', audience, body },
    firstInChannel: channel.firstMessageId === null ? firstMessageEvent(channel) : null,
    revivesChannel: channel.isRecentlyActive === false ? activityEvent(channel, true) : null,
  };
}

/** The place of a direct message. */
export interface InConversation {
  readonly conversation: Conversation;
  /** In ascending order of id. Can be users whom this change adds. */
  readonly participants: readonly UserRecord[];
}

/** The same for a direct message. */
export function directMessage(
  directory: Directory,
  written: Written,
  { conversation, participants }: InConversation,
): NewMessage {
  const users = new Set(conversation.participants);
  const body: MessageBody = {
    ...commonBody(directory, written, (userId) => users.has(userId)),
    recipientId: conversation.recipientId,
    channel: null,
    participants: participants.map(({ id, email, fullName }) => ({ id, email, fullName })),
    topic: '',
  };
  return {
    ...rowsOf(body, { channelId: null, conversation, isMember: () => true }),
    event: { type: 'message', audience: { to: 'users', users: conversation.participants }, body },
    firstInChannel: null,
    revivesChannel: null,
  };
}

/** Everything but the place. Adds who has muted the sender, and whom the text alerts. */
function commonBody(
  directory: Directory,
  { sender, now, submessages, ...written }: Written,
  isMember: (userId: number) => boolean,
  others: readonly number[] = [],
) {
  const { id, email, fullName } = sender;
  const readBy = [...new Set([...others, ...[...directory.part(mutesPart).mutersOf(id)].filter(isMember)])];
  const alerted = [...alertedBy(directory, written.content)].filter(isMember);
  return {
    ...written,
    sender: { id, email, fullName, avatar: avatarOf(directory, sender) },
    subdomain: directory.organization.subdomain,
    sentAt: Math.floor(now / 1000),
    ...(submessages !== undefined && { submessages }),
    ...(readBy.length > 0 && { readBy }),
    ...(alerted.length > 0 && { alerted }),
  };
}

interface Placing {
  /** Null for direct messages. Likewise, `conversation` is null for channel messages. */
  readonly channelId: number | null;
  readonly conversation: Conversation | null;
  readonly isMember: (userId: number) => boolean;
  readonly outsiders?: readonly number[] | undefined;
}

function rowsOf(body: MessageBody, { channelId, conversation, isMember, outsiders = [] }: Placing) {
  const [widget] = body.submessages ?? [];
  return {
    row: {
      sender_id: body.sender.id,
      channel_id: channelId,
      conversation_id: conversation?.id ?? null,
      fingerprint: conversation === null ? '' : fingerprint(conversation.participants),
      topic: body.topic,
      content: body.content,
      rendered_content: body.renderedContent,
      mentions_channel: body.mentionsChannel,
      is_me_message: body.isMeMessage,
      client: body.client,
      has_submessages: body.submessages !== undefined && body.submessages.length > 0,
    },
    sentAt: body.sentAt,
    flags: flagRows(body, isMember, outsiders),
    ...(widget !== undefined && { widget: widget.content }),
    massMention: isMassMention(body) ? userBits(body.mentioned) : null,
  };
}

/** The event about the first message of the channel (interface document, "Events": first_message_id). */
function firstMessageEvent({ id, name, isArchived }: ChannelRecord): NewEvent {
  return {
    type: 'stream',
    audience: { to: 'channel-viewers', channelId: id },
    body: { op: 'first-message', channelId: id, name, ...(isArchived && { isArchived }) },
    deltas: [{ delta: 'first-message', channelId: id }],
  };
}

/** Users who are not members need no row for `read`: for them, every message is read. */
function flagRows(
  body: MessageBody,
  isMember: (userId: number) => boolean,
  outsiders: readonly number[],
): readonly (readonly [number, number])[] {
  const bits = new Map<number, number>();
  const add = (userId: number, bit: number) => bits.set(userId, (bits.get(userId) ?? 0) | bit);
  const readers = [...(body.readBySender ? [body.sender.id] : []), ...(body.readBy ?? [])];
  for (const userId of readers) if (isMember(userId)) add(userId, FlagBit.read);
  for (const userId of isMassMention(body) ? outsiders : body.mentioned) add(userId, FlagBit.mentioned);
  for (const userId of body.topicMentioned) add(userId, FlagBit.topicMentioned);
  for (const userId of body.alerted ?? []) add(userId, FlagBit.alerted);
  return [...bits];
}

function isMassMention({ mentioned }: MessageBody): boolean {
  return mentioned.length > MAX_MENTIONS_BY_ROWS;
}
