import { badRequest, channelWildcardMentionNotAllowed, topicWildcardMentionNotAllowed } from '@heddle/api/errors.ts';
import { accessChannel } from '../../access/channels.ts';
import { MAX_MESSAGE_LENGTH } from '../../access/limits.ts';
import { checkMayWriteDirectly, checkMayWriteIn, mayMentionMany } from '../../access/messages.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import { activeUser } from '../../directory/active-user.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../../directory/records.ts';
import type { NewMessage } from '../../log/entry.ts';
import type { Audience, NewEvent } from '../../log/event.ts';
import { renderMessage } from '../../markup/index.ts';
import type { Conversation } from '../conversations/actions.ts';
import type { MessageBody } from '../messages/present.ts';
import { checkedTopic } from '../topic-names.ts';
import { truncate } from '../truncate.ts';
import { avatarOf } from '../users/queries.ts';
import { markupLookup } from './markup-lookup.ts';
import { type Address, findRecipients } from './recipients.ts';

/** A message as it was asked to be sent, and what the database had to be asked about it. */
export interface Draft {
  readonly senderId: number;
  readonly address: Address;
  readonly content: string;
  readonly client: string;
  readonly readBySender: boolean;
  readonly echo: MessageBody['echo'];
  /** Of direct messages. */
  readonly conversation: Conversation | null;
  /** Whether the topic or the conversation has messages. Looked up only where the sender may not start one. */
  readonly threadExists: boolean;
  /** Where the topic is mentioned as a whole: who has written in it. */
  readonly topicParticipants: readonly number[];
  readonly organizationUrl: string;
}

/** From this many on, only `can_mention_many_users_group` may mention everybody. */
const LARGE_AUDIENCE = 15;

/**
 * Checks and renders a draft with the directory as it is now. Nothing waits here, so that it can be done again when the directory has
 * changed before the commit.
 * @throws ApiError for whatever makes the message impossible
 */
export function prepareMessage(directory: Directory, draft: Draft, now: number): NewMessage {
  const sender = activeUser(directory, draft.senderId);
  const content = checkedContent(draft.content);
  return draft.address.kind === 'channel'
    ? prepareForChannel(directory, sender, draft, draft.address, content, now)
    : prepareDirect(directory, sender, draft, draft.address.users, content, now);
}

/**
 * The text as it is kept: without white space at its end and blank lines at its start. Spaces before the first word stay, because they can
 * be code.
 * @throws ApiError for a text without anything to read in it
 */
export function checkedContent(content: string): string {
  const text = content.trimEnd().replace(/^\n+/, '');
  if (text.trim() === '') throw badRequest('Message must not be empty');
  return truncate(text, MAX_MESSAGE_LENGTH, '\n[message truncated]');
}

function prepareForChannel(
  directory: Directory,
  sender: UserRecord,
  draft: Draft,
  address: Extract<Address, { kind: 'channel' }>,
  content: string,
  now: number,
): NewMessage {
  const channel = accessChannel(directory, sender, address.channel, 'post');
  const topic = checkedTopic(address.topic);
  checkMayWriteIn(directory, sender, channel, topic, draft.threadExists);
  const rendered = renderMessage(content, markupLookup(directory, sender), {
    allowWildcardMentions: true,
    organizationUrl: draft.organizationUrl,
  });
  const { subscriptions } = directory;
  const mentioned = rendered.mentionedUserIds.filter((userId) => subscriptions.has(channel.id, userId));
  const topicMentioned = rendered.mentionsTopic
    ? draft.topicParticipants.filter((userId) => subscriptions.has(channel.id, userId))
    : [];
  checkWildcards(directory, sender, channel, rendered.mentionsChannel, topicMentioned.length);
  const body: MessageBody = {
    ...commonBody(directory, sender, draft, now),
    recipientId: channel.recipientId,
    channel: { id: channel.id, name: channel.name },
    participants: [],
    topic,
    content,
    renderedContent: rendered.html,
    isMeMessage: rendered.isMeMessage,
    mentioned,
    mentionsChannel: rendered.mentionsChannel,
    topicMentioned,
  };
  return newMessage(body, {
    conversationId: null,
    audience: { to: 'subscribers', channelId: channel.id },
    senderIsMember: subscriptions.has(channel.id, sender.id),
    firstInChannel: channel.firstMessageId === null ? firstMessageEvent(channel) : null,
  });
}

function prepareDirect(
  directory: Directory,
  sender: UserRecord,
  draft: Draft,
  named: readonly (number | string)[],
  content: string,
  now: number,
): NewMessage {
  findRecipients(directory, named);
  const { conversation } = draft;
  if (conversation === null) throw new Error('a direct message needs its conversation');
  const participants = conversation.participants.flatMap((id) => directory.user(id) ?? []);
  checkMayWriteDirectly(directory, sender, participants, draft.threadExists);
  const rendered = renderMessage(content, markupLookup(directory, sender), {
    allowWildcardMentions: true,
    organizationUrl: draft.organizationUrl,
  });
  const body: MessageBody = {
    ...commonBody(directory, sender, draft, now),
    recipientId: conversation.recipientId,
    channel: null,
    participants: participants.map(({ id, email, fullName }) => ({ id, email, fullName })),
    topic: '',
    content,
    renderedContent: rendered.html,
    isMeMessage: rendered.isMeMessage,
    mentioned: rendered.mentionedUserIds.filter((userId) => conversation.participants.includes(userId)),
    // Of a conversation it says that everybody in it is mentioned; however many they are, they are known to each other.
    mentionsChannel: rendered.mentionsChannel,
    topicMentioned: [],
  };
  return newMessage(body, {
    conversationId: conversation.id,
    audience: { to: 'users', users: conversation.participants },
    senderIsMember: true,
    firstInChannel: null,
  });
}

interface Placing {
  readonly conversationId: number | null;
  readonly audience: Audience;
  readonly senderIsMember: boolean;
  readonly firstInChannel: NewEvent | null;
}

/** The rows and events that sending it makes; all but the ids. */
function newMessage(
  body: MessageBody,
  { conversationId, audience, senderIsMember, firstInChannel }: Placing,
): NewMessage {
  return {
    senderId: body.sender.id,
    channelId: body.channel?.id ?? null,
    conversationId,
    topic: body.topic,
    content: body.content,
    renderedContent: body.renderedContent,
    mentionsChannel: body.mentionsChannel,
    isMeMessage: body.isMeMessage,
    client: body.client,
    sentAt: body.sentAt,
    flags: flagRows(body, senderIsMember),
    event: { type: 'message', audience, body },
    firstInChannel,
  };
}

/** The channel has its first message: the event's own (interface document, "Events": first_message_id). */
function firstMessageEvent({ id, name }: ChannelRecord): NewEvent {
  return {
    type: 'stream',
    audience: { to: 'channel-viewers', channelId: id },
    body: { op: 'first-message', channelId: id, name },
    facts: [{ fact: 'first-message', channelId: id }],
  };
}

function commonBody(directory: Directory, sender: UserRecord, draft: Draft, now: number) {
  return {
    sender: { id: sender.id, email: sender.email, fullName: sender.fullName, avatar: avatarOf(sender) },
    subdomain: directory.organization.subdomain,
    sentAt: Math.floor(now / 1000),
    client: draft.client,
    readBySender: draft.readBySender,
    echo: draft.echo,
  };
}

/** For senders who are no members of the place everything counts as read anyway. */
function flagRows(body: MessageBody, senderIsMember: boolean): readonly (readonly [number, number])[] {
  const bits = new Map<number, number>();
  const add = (userId: number, bit: number) => bits.set(userId, (bits.get(userId) ?? 0) | bit);
  if (body.readBySender && senderIsMember) add(body.sender.id, FlagBit.read);
  for (const userId of body.mentioned) add(userId, FlagBit.mentioned);
  for (const userId of body.topicMentioned) add(userId, FlagBit.topicMentioned);
  return [...bits];
}

/**
 * @throws ApiError `STREAM_WILDCARD_MENTION_NOT_ALLOWED`, `TOPIC_WILDCARD_MENTION_NOT_ALLOWED`
 */
function checkWildcards(
  directory: Directory,
  sender: UserRecord,
  channel: ChannelRecord,
  mentionsChannel: boolean,
  topicAudience: number,
): void {
  if (mentionsChannel && directory.subscriptions.of(channel.id).size > LARGE_AUDIENCE) {
    if (!mayMentionMany(directory, sender)) throw channelWildcardMentionNotAllowed();
  }
  if (topicAudience > LARGE_AUDIENCE && !mayMentionMany(directory, sender)) throw topicWildcardMentionNotAllowed();
}
