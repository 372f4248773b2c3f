import type { Change } from '../../directory/organization.ts';
import type { ChannelRecord, UserRecord } from '../../directory/records.ts';
import { type Noticing, noticeInChannels, silentMention } from '../sending/actions.ts';

/** Where the server says what becomes of a channel (public reference: "Configure automated notices"). */
const TOPIC = 'channel events';

type Described = Pick<ChannelRecord, 'description' | 'isWebPublic' | 'isPrivate' | 'historyPublicToSubscribers'>;

/**
 * The first message of each new channel says what it is for and who made it; its maker has read it.
 * @param subscriberIds who is subscribed to the channels at the end of the change
 */
export function noticeCreated(
  change: Change,
  created: readonly ChannelRecord[],
  subscriberIds: readonly number[],
  noticing: Noticing,
): void {
  const subscribers = new Set(subscriberIds);
  const notices = created.map((channel) => ({
    channel,
    topic: channel.topicsPolicy === 'empty_topic_only' ? '' : TOPIC,
    content: createdText(channel, noticing.actor),
  }));
  noticeInChannels(change, notices, { ...noticing, isSubscribed: (userId) => subscribers.has(userId) });
}

/** What is said of a channel that the user creates. */
export function createdText(channel: Described, creator: UserRecord): string {
  const description = channel.description === '' ? '*No description.*' : channel.description;
  return `**${kindOf(channel)}** channel created by ${silentMention(creator)}. **Description:**\n\`\`\`\` quote\n${description}\n\`\`\`\``;
}

function kindOf({ isWebPublic, isPrivate, historyPublicToSubscribers }: Described): string {
  if (isWebPublic) return 'Web-public';
  if (!isPrivate) return 'Public';
  return historyPublicToSubscribers ? 'Private, shared history' : 'Private, protected history';
}
