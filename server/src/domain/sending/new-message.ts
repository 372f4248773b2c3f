import { MOST_BY_ROWS } from '../../access/mass-mentions.ts';
import { FlagBit } from '../../db/flag-bits.ts';
import { userBits } from '../../db/user-bits.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import type { Audience, NewEvent } from '../../log/event.ts';
import { activityEvent } from '../channels/present.ts';
import type { MessageBody } from '../messages/message-body.ts';
import type { NewMessage } from './send-message.ts';

/** The channel or conversation of a new message. */
export interface Placing {
  /** Null for direct messages. Likewise, `conversationId` is null for channel messages. */
  readonly channel: ChannelRecord | null;
  readonly conversationId: number | null;
  readonly audience: Audience;
  /** Whether the user is subscribed to the channel, or participates in the conversation. */
  readonly isMember: (userId: number) => boolean;
  /** Mentioned bots that are not members. They always get flag rows, because a mass mention counts only for members. */
  readonly outsiders?: readonly number[];
}

/** The rows and events of a new message, without the ids. */
export function newMessage(body: MessageBody, placing: Placing): NewMessage {
  const { channel, conversationId, audience } = placing;
  return {
    row: {
      sender_id: body.sender.id,
      channel_id: channel?.id ?? null,
      conversation_id: conversationId,
      topic: body.topic,
      content: body.content,
      rendered_content: body.renderedContent,
      mentions_channel: body.mentionsChannel,
      is_me_message: body.isMeMessage,
      client: body.client,
      has_submessages: body.submessages !== undefined && body.submessages.length > 0,
    },
    sentAt: body.sentAt,
    flags: flagRows(body, placing),
    ...widgetOf(body),
    massMention: isMassMention(body) ? userBits(body.mentioned) : null,
    event: { type: 'message', audience, body },
    firstInChannel: channel?.firstMessageId === null ? firstMessageEvent(channel) : null,
    revivesChannel: channel?.isRecentlyActive === false ? activityEvent(channel, true) : null,
  };
}

/** The event about the first message of the channel (interface document, "Events": first_message_id). */
function firstMessageEvent({ id, name, isArchived }: ChannelRecord): NewEvent {
  return {
    type: 'stream',
    audience: { to: 'channel-viewers', channelId: id },
    body: { op: 'first-message', channelId: id, name, ...(isArchived && { isArchived }) },
    facts: [{ fact: 'first-message', channelId: id }],
  };
}

/** Users who are not members need no row for `read`: for them, every message is read. */
function flagRows(body: MessageBody, { isMember, outsiders = [] }: Placing): readonly (readonly [number, number])[] {
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
  return mentioned.length > MOST_BY_ROWS;
}

function widgetOf({ submessages }: MessageBody): Pick<NewMessage, 'widget'> {
  const [widget] = submessages ?? [];
  return widget === undefined ? {} : { widget: widget.content };
}
