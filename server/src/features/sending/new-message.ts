import { MOST_BY_ROWS } from '../../access/mass-mentions.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import { userBits } from '../../db/user-bits.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import type { NewMessage } from '../../log/entry.ts';
import type { Audience, NewEvent } from '../../log/event.ts';
import { activityEvent } from '../channels/present.ts';
import type { MessageBody } from '../messages/present.ts';

/** Where a message goes. */
export interface Placing {
  /** Null for direct messages, as `conversationId` is for those of channels. */
  readonly channel: ChannelRecord | null;
  readonly conversationId: number | null;
  readonly audience: Audience;
  /** Whether the user is subscribed to the channel, or in the conversation. */
  readonly isMember: (userId: number) => boolean;
}

/** The rows and events that sending it makes; all but the ids. */
export function newMessage(body: MessageBody, { channel, conversationId, audience, isMember }: Placing): NewMessage {
  return {
    senderId: body.sender.id,
    channelId: channel?.id ?? null,
    conversationId,
    topic: body.topic,
    content: body.content,
    renderedContent: body.renderedContent,
    mentionsChannel: body.mentionsChannel,
    isMeMessage: body.isMeMessage,
    client: body.client,
    sentAt: body.sentAt,
    flags: flagRows(body, isMember),
    ...widgetOf(body),
    massMention: isMassMention(body) ? userBits(body.mentioned) : null,
    event: { type: 'message', audience, body },
    firstInChannel: channel?.firstMessageId === null ? firstMessageEvent(channel) : null,
    revivesChannel: channel?.isRecentlyActive === false ? activityEvent(channel, true) : null,
  };
}

/** The channel has its first message: the event's own (interface document, "Events": first_message_id). */
function firstMessageEvent({ id, name, isArchived }: ChannelRecord): NewEvent {
  return {
    type: 'stream',
    audience: { to: 'channel-viewers', channelId: id },
    body: { op: 'first-message', channelId: id, name, ...(isArchived && { isArchived }) },
    facts: [{ fact: 'first-message', channelId: id }],
  };
}

/** For those who are no members of the place everything counts as read anyway. */
function flagRows(body: MessageBody, isMember: Placing['isMember']): readonly (readonly [number, number])[] {
  const bits = new Map<number, number>();
  const add = (userId: number, bit: number) => bits.set(userId, (bits.get(userId) ?? 0) | bit);
  const readers = [...(body.readBySender ? [body.sender.id] : []), ...(body.readBy ?? [])];
  for (const userId of readers) if (isMember(userId)) add(userId, FlagBit.read);
  if (!isMassMention(body)) for (const userId of body.mentioned) add(userId, FlagBit.mentioned);
  for (const userId of body.topicMentioned) add(userId, FlagBit.topicMentioned);
  for (const userId of body.alerted ?? []) add(userId, FlagBit.alerted);
  return [...bits];
}

function isMassMention({ mentioned }: MessageBody): boolean {
  return mentioned.length > MOST_BY_ROWS;
}

function widgetOf({ submessages }: MessageBody): Pick<NewMessage, 'widget'> {
  const [widget] = submessages ?? [];
  return widget === undefined ? {} : { widget: widget.content };
}
