import { channelWildcardMentionNotAllowed, topicWildcardMentionNotAllowed } from '@heddle/api/errors.ts';
import { botsThatMayRead } from '../../../access/bots.ts';
import { channelAudience } from '../../../access/message-audience.ts';
import { checkMayWriteDirectly, mayMentionMany } from '../../../access/messages.ts';
import { activeUser } from '../../../directory/active-user.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../../../directory/records.ts';
import { type RenderedMarkup, renderMessage } from '../../../markup/index.ts';
import type { Conversation } from '../../messages/conversations/actions.ts';
import type { MessageBody } from '../../messages/messages/message-body.ts';
import { widgetOf } from '../../messages/submessages/widgets.ts';
import { linksInTopic } from '../../texts/linkifiers/queries.ts';
import type { SentInTopic } from '../../topics/automatic.ts';
import { filesLinkedBy, type LinkableFile, type LinkableFiles, NO_FILES } from '../../uploads/links.ts';
import { introductionAmong } from '../../users/accessible-users/actions.ts';
import { type ChannelTarget, checkRequest } from './checking.ts';
import type { LinkedTopics } from './linked-topics.ts';
import { markupLookup } from './markup-lookup.ts';
import { mentionedUsers } from './mentioned.ts';
import { channelMessage, directMessage } from './new-message.ts';
import type { Address } from './recipients.ts';
import { type LinkTargets, renderingIn } from './rendering.ts';
import type { NewMessage } from './send-message.ts';

/** A request to send a message. */
export interface MessageRequest {
  readonly address: Address;
  readonly content: string;
  readonly client: string;
  readonly readBySender: boolean;
  readonly echo: MessageBody['echo'];
  /** The widget of the request, as JSON. If it is missing, the text can ask for one. */
  readonly widget?: string | undefined;
}

/** The request with its sender and with everything that must be looked up in the database. */
export interface Draft extends MessageRequest {
  readonly senderId: number;
  /** Only for direct messages. */
  readonly conversation: Conversation | null;
  /** Whether the conversation has messages. Looked up only if the sender is not allowed to start one. */
  readonly conversationExists: boolean;
  /** Participants of the topic, if the text mentions the topic. */
  readonly topicParticipants: readonly number[];
  /** The addresses that links need. */
  readonly targets: LinkTargets;
  /** Uploaded files that the text can link to; none if missing. */
  readonly files?: LinkableFiles;
  /** Topics that the text links to. */
  readonly linkedTopics: LinkedTopics;
}

/** A message that is ready to be sent. */
export interface Prepared {
  readonly message: NewMessage;
  /** The topic and the users whose policy for it this message may change; null for direct messages. */
  readonly inTopic: SentInTopic | null;
  /** Uploaded files that the text links to. */
  readonly files: readonly LinkableFile[];
}

/** If the channel or topic has more recipients, only `can_mention_many_users_group` can mention it. */
const LARGE_AUDIENCE_RECIPIENTS = 15;

/**
 * Checks and renders a draft with the directory of this moment. This function is synchronous, so the caller can repeat
 * it if the directory changes before the commit.
 * @throws ApiError if the message is invalid or not allowed
 */
export function prepareMessage(directory: Directory, draft: Draft, now: number): Prepared {
  const sender = activeUser(directory, draft.senderId);
  const { content, target } = checkRequest(directory, sender, draft);
  return target.kind === 'channel'
    ? prepareForChannel(directory, sender, draft, target, content, now)
    : prepareDirect(directory, sender, draft, content, now);
}

/** In characters. Longer messages take so long to render that they wait for a turn on the processor. */
const LONG_CONTENT_CHARACTERS = 1000;
/** The same for messages with formulas, which take tens of microseconds per character. */
const LONG_FORMULA_CHARACTERS = 100;

export function isLong(content: string): boolean {
  if (content.length > LONG_CONTENT_CHARACTERS) return true;
  return content.length > LONG_FORMULA_CHARACTERS && (content.includes('$$') || content.includes('math'));
}

function prepareForChannel(
  directory: Directory,
  sender: UserRecord,
  draft: Draft,
  { channel, topic }: ChannelTarget,
  content: string,
  now: number,
): Prepared {
  const options = renderingIn(directory, sender, draft.targets);
  const files = draft.files ?? NO_FILES;
  const rendered = renderMessage(content, markupLookup(directory, sender, files, draft.linkedTopics), options);
  const { subscriptions } = directory;
  const subscribers = mentionedUsers(directory, sender, rendered, subscriptions.of(channel.id));
  const bots = botsThatMayRead(directory, rendered.mentionedUserIds, channel).filter(
    (userId) => !subscriptions.has(channel.id, userId),
  );
  const topicMentioned = rendered.mentionsTopic
    ? draft.topicParticipants.filter((userId) => subscriptions.has(channel.id, userId))
    : [];
  checkWildcards(directory, sender, channel, rendered.mentionsChannel, topicMentioned.length);
  const written = {
    ...writtenBy(sender, draft, content, now),
    ...textOf(rendered),
    mentioned: bots.length === 0 ? subscribers : [...subscribers, ...bots],
    topicMentioned,
  };
  const message = channelMessage(directory, written, {
    channel,
    topic,
    topicLinks: linksInTopic(directory, topic),
    audience: channelAudience(channel.id, bots, []),
    isSubscribed: (userId) => subscriptions.has(channel.id, userId),
    outsiders: bots,
  });
  const named = rendered.mentionedUserIds.filter((userId) => subscriptions.has(channel.id, userId));
  const inTopic = { channelId: channel.id, topic, senderId: sender.id, mentioned: named };
  return { message, inTopic, files: filesLinkedBy(files, rendered.uploads) };
}

function prepareDirect(directory: Directory, sender: UserRecord, draft: Draft, content: string, now: number): Prepared {
  const { conversation } = draft;
  if (conversation === null) throw new Error('a direct message needs its conversation');
  const participants = conversation.participants.flatMap((id) => directory.correspondent(id) ?? []);
  checkMayWriteDirectly(directory, sender, participants, draft.conversationExists);
  const options = renderingIn(directory, sender, draft.targets);
  const files = draft.files ?? NO_FILES;
  const rendered = renderMessage(content, markupLookup(directory, sender, files, draft.linkedTopics), options);
  const written = {
    ...writtenBy(sender, draft, content, now),
    // In a conversation, a wildcard mentions all participants. There is no limit: they all take part.
    ...textOf(rendered),
    mentioned: mentionedUsers(directory, sender, rendered, new Set(conversation.participants)),
    topicMentioned: [],
  };
  const message = directMessage(directory, written, { conversation, participants });
  const introduction = introductionAmong(directory, participants);
  return {
    message: { ...message, ...(introduction && { introduction }) },
    inTopic: null,
    files: filesLinkedBy(files, rendered.uploads),
  };
}

function writtenBy(sender: UserRecord, draft: Draft, content: string, now: number) {
  const { client, readBySender, echo } = draft;
  const widget = widgetOf(content, draft.widget);
  return {
    sender,
    now,
    client,
    readBySender,
    echo,
    content,
    ...(widget !== undefined && { submessages: [{ place: 0, senderId: sender.id, kind: 'widget', content: widget }] }),
  };
}

function textOf({ html, isMeMessage, mentionsChannel }: RenderedMarkup) {
  return { renderedContent: html, isMeMessage, mentionsChannel };
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
  if (mentionsChannel && directory.subscriptions.of(channel.id).size > LARGE_AUDIENCE_RECIPIENTS) {
    if (!mayMentionMany(directory, sender)) throw channelWildcardMentionNotAllowed();
  }
  if (topicAudience > LARGE_AUDIENCE_RECIPIENTS && !mayMentionMany(directory, sender))
    throw topicWildcardMentionNotAllowed();
}
