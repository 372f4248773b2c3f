import { badRequest, channelWildcardMentionNotAllowed, topicWildcardMentionNotAllowed } from '@heddle/api/errors.ts';
import { accessChannel } from '../../access/channels.ts';
import { MAX_MESSAGE_LENGTH } from '../../access/limits.ts';
import { checkMayWriteDirectly, checkTopicsPolicy, mayMentionMany } from '../../access/messages.ts';
import { activeUser } from '../../directory/active-user.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../../directory/records.ts';
import type { NewMessage } from '../../log/entry.ts';
import { renderMessage } from '../../markup/index.ts';
import { introductionAmong } from '../acquaintances/actions.ts';
import type { Conversation } from '../conversations/actions.ts';
import { linksInTopic } from '../linkifiers/queries.ts';
import type { MessageBody } from '../messages/present.ts';
import { widgetOf } from '../submessages/actions.ts';
import { checkedTopic } from '../topic-names.ts';
import type { SentInTopic } from '../topics/actions.ts';
import { truncate } from '../truncate.ts';
import { filesLinkedBy, type LinkableFile, type LinkableFiles, NO_FILES } from '../uploads/actions.ts';
import { avatarOf } from '../users/queries.ts';
import type { LinkedTopics } from './linked-topics.ts';
import { markupLookup } from './markup-lookup.ts';
import { mentionedUsers } from './mentioned.ts';
import { newMessage } from './new-message.ts';
import { type Address, findRecipients } from './recipients.ts';
import { renderingIn } from './rendering.ts';
import { wishesAbout } from './wishes.ts';

/** A message as it was asked to be sent. */
export interface MessageRequest {
  readonly address: Address;
  readonly content: string;
  readonly client: string;
  readonly readBySender: boolean;
  readonly echo: MessageBody['echo'];
  /** What the client attaches to it, as JSON; missing: what its text asks for, if anything. */
  readonly widget?: string | undefined;
}

/** The same with its sender, and what the database had to be asked about it. */
export interface Draft extends MessageRequest {
  readonly senderId: number;
  /** Of direct messages. */
  readonly conversation: Conversation | null;
  /** Whether the conversation has messages. Looked up only where the sender may not start one. */
  readonly conversationExists: boolean;
  /** Where the topic is mentioned as a whole: who has written in it. */
  readonly topicParticipants: readonly number[];
  readonly organizationUrl: string;
  /** Uploaded ones that the text may link to; none if not given. */
  readonly files?: LinkableFiles;
  /** Those that the text links to. */
  readonly linkedTopics: LinkedTopics;
}

/** A message as it can be sent. */
export interface Prepared {
  readonly message: NewMessage;
  /** Whose policies for its topic it may change; null for direct messages. */
  readonly inTopic: SentInTopic | null;
  /** Uploaded ones that it links to. */
  readonly files: readonly LinkableFile[];
}

/** From this many on, only `can_mention_many_users_group` may mention everybody. */
const LARGE_AUDIENCE = 15;

/**
 * Checks and renders a draft with the directory as it is now. Nothing waits here, so that it can be done again when the directory has
 * changed before the commit.
 * @throws ApiError for whatever makes the message impossible
 */
export function prepareMessage(directory: Directory, draft: Draft, now: number): Prepared {
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

/** Characters. Longer messages take so long to render that it is done in turn. */
const LONG_CONTENT = 1000;
/** The same of those with formulas, which take tens of microseconds a character. */
const LONG_FORMULA = 100;

export function isLong(content: string): boolean {
  if (content.length > LONG_CONTENT) return true;
  return content.length > LONG_FORMULA && (content.includes('$$') || content.includes('math'));
}

function prepareForChannel(
  directory: Directory,
  sender: UserRecord,
  draft: Draft,
  address: Extract<Address, { kind: 'channel' }>,
  content: string,
  now: number,
): Prepared {
  const channel = accessChannel(directory, sender, address.channel, 'post');
  const topic = checkedTopic(address.topic);
  checkTopicsPolicy(directory, channel, topic);
  const options = renderingIn(directory, sender, draft.organizationUrl);
  const files = draft.files ?? NO_FILES;
  const rendered = renderMessage(content, markupLookup(directory, sender, files, draft.linkedTopics), options);
  const { subscriptions } = directory;
  const mentioned = mentionedUsers(directory, sender, rendered, subscriptions.of(channel.id));
  const topicMentioned = rendered.mentionsTopic
    ? draft.topicParticipants.filter((userId) => subscriptions.has(channel.id, userId))
    : [];
  checkWildcards(directory, sender, channel, rendered.mentionsChannel, topicMentioned.length);
  const links = linksInTopic(directory, topic);
  const body: MessageBody = {
    ...commonBody(directory, sender, { ...draft, content }, now),
    recipientId: channel.recipientId,
    channel: { id: channel.id, name: channel.name },
    participants: [],
    topic,
    ...(links.length > 0 && { topicLinks: links }),
    content,
    renderedContent: rendered.html,
    isMeMessage: rendered.isMeMessage,
    mentioned,
    mentionsChannel: rendered.mentionsChannel,
    topicMentioned,
    ...wishesAbout(directory, sender.id, content, (userId) => subscriptions.has(channel.id, userId)),
  };
  const message = newMessage(body, {
    channel,
    conversationId: null,
    audience: { to: 'subscribers', channelId: channel.id },
    isMember: (userId) => subscriptions.has(channel.id, userId),
  });
  const named = rendered.mentionedUserIds.filter((userId) => subscriptions.has(channel.id, userId));
  const inTopic = { channelId: channel.id, topic, senderId: sender.id, mentioned: named };
  return { message, inTopic, files: filesLinkedBy(files, rendered.uploads) };
}

function prepareDirect(
  directory: Directory,
  sender: UserRecord,
  draft: Draft,
  named: readonly (number | string)[],
  content: string,
  now: number,
): Prepared {
  findRecipients(directory, sender, named);
  const { conversation } = draft;
  if (conversation === null) throw new Error('a direct message needs its conversation');
  const participants = conversation.participants.flatMap((id) => directory.correspondent(id) ?? []);
  checkMayWriteDirectly(directory, sender, participants, draft.conversationExists);
  const options = renderingIn(directory, sender, draft.organizationUrl);
  const files = draft.files ?? NO_FILES;
  const rendered = renderMessage(content, markupLookup(directory, sender, files, draft.linkedTopics), options);
  const body: MessageBody = {
    ...commonBody(directory, sender, { ...draft, content }, now),
    recipientId: conversation.recipientId,
    channel: null,
    participants: participants.map(({ id, email, fullName }) => ({ id, email, fullName })),
    topic: '',
    content,
    renderedContent: rendered.html,
    isMeMessage: rendered.isMeMessage,
    mentioned: mentionedUsers(directory, sender, rendered, new Set(conversation.participants)),
    // Of a conversation it says that everybody in it is mentioned; however many they are, they are known to each other.
    mentionsChannel: rendered.mentionsChannel,
    topicMentioned: [],
    ...wishesAbout(directory, sender.id, content, conversation.participants),
  };
  const message = newMessage(body, {
    channel: null,
    conversationId: conversation.id,
    audience: { to: 'users', users: conversation.participants },
    isMember: () => true,
  });
  const introduction = introductionAmong(directory, participants);
  return {
    message: { ...message, ...(introduction && { introduction }) },
    inTopic: null,
    files: filesLinkedBy(files, rendered.uploads),
  };
}

function commonBody(directory: Directory, sender: UserRecord, draft: Draft, now: number) {
  const widget = widgetOf(draft.content, draft.widget);
  return {
    sender: { id: sender.id, email: sender.email, fullName: sender.fullName, avatar: avatarOf(directory, sender) },
    subdomain: directory.organization.subdomain,
    sentAt: Math.floor(now / 1000),
    client: draft.client,
    readBySender: draft.readBySender,
    echo: draft.echo,
    ...(widget !== undefined && { submessages: [{ place: 0, senderId: sender.id, kind: 'widget', content: widget }] }),
  };
}

/**
 * @throws ApiError `STREAM_WILDCARD_MENTION_NOT_ALLOWED`, `TOPIC_WILDCARD_MENTION_NOT_ALLOWED`
 */
export function checkWildcards(
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
