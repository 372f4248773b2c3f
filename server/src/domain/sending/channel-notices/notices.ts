import { organizationSetting } from '../../../access/organization-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change } from '../../../directory/organization.ts';
import type { ChannelRecord, UserRecord } from '../../../directory/records.ts';
import { channelLink, type NoticeContext, noticeInChannels, silentMention } from '../sending/notices.ts';
import { quoted, visibilityName } from './notice-texts.ts';

/** The topic of notices about a channel (public reference: "Configure automated notices"). */
const TOPIC = 'channel events';

type Described = Pick<ChannelRecord, 'description' | 'isWebPublic' | 'isPrivate' | 'historyPublicToSubscribers'>;

/**
 * Posts the first message of each new channel, with its description and creator. The creator has read it.
 * @param subscriberIds the subscribers of the channels at the end of the transaction
 */
export function noticeCreated(
  change: Change,
  created: readonly ChannelRecord[],
  subscriberIds: readonly number[],
  noticeContext: NoticeContext,
): void {
  const subscribers = new Set(subscriberIds);
  const notices = created.map((channel) => ({
    channel,
    topic: eventsTopic(channel),
    content: createdText(channel, noticeContext.actor),
  }));
  noticeInChannels(change, notices, { ...noticeContext, isSubscribed: (userId) => subscribers.has(userId) });
}

/** Posts messages about changes of a channel. The user who made the changes has read them. */
export function noticeChanges(
  change: Change,
  channel: ChannelRecord,
  contents: readonly string[],
  noticeContext: NoticeContext,
): void {
  const topic = eventsTopic(channel);
  noticeInChannels(
    change,
    contents.map((content) => ({ channel, topic, content })),
    { ...noticeContext, isSubscribed: (userId) => change.directory.subscriptions.has(channel.id, userId) },
  );
}

function eventsTopic(channel: ChannelRecord): string {
  return channel.topicsPolicy === 'empty_topic_only' ? '' : TOPIC;
}

/** The topic in the organization's announcement channel. */
const ANNOUNCEMENTS = 'new channels';

/**
 * Announces new channels in the organization's announcement channel, if there is one. The creator has read it.
 * @param joining users whom this transaction subscribes, and to which channels
 */
export function announceChannels(
  change: Change,
  created: readonly Pick<ChannelRecord, 'id' | 'name'>[],
  noticeContext: NoticeContext,
  joining: { readonly channelIds: readonly number[]; readonly userIds: readonly number[] },
): void {
  const { directory } = change;
  const channel = announcementChannel(directory);
  if (channel === undefined || created.length === 0) return;
  const joins = joining.channelIds.includes(channel.id) ? new Set(joining.userIds) : undefined;
  const topic = channel.topicsPolicy === 'empty_topic_only' ? '' : ANNOUNCEMENTS;
  const names = created.map(({ name }) => name);
  const areKnown = created.every(({ id }) => directory.channel(id) !== undefined);
  noticeInChannels(change, [{ channel, topic, content: announcedText(names, noticeContext.actor) }], {
    ...noticeContext,
    ...(!areKnown && { render: (content) => noticeContext.renderNaming(content, created) }),
    isSubscribed: (userId) => directory.subscriptions.has(channel.id, userId) || (joins?.has(userId) ?? false),
  });
}

function announcementChannel(directory: Directory): ChannelRecord | undefined {
  const channel = directory.channel(organizationSetting(directory, 'new_channel_announcements_channel_id'));
  return channel?.isArchived ? undefined : channel;
}

/** The announcement of channels that the user created. */
export function announcedText(names: readonly string[], creator: UserRecord): string {
  const channels = names.map(channelLink).join(', ');
  const what = names.length === 1 ? 'a new channel' : 'the following channels:';
  return `${silentMention(creator)} created ${what} ${channels}.`;
}

/** The first message of a channel that the user created. */
export function createdText(channel: Described, creator: UserRecord): string {
  return `**${visibilityName(channel)}** channel created by ${silentMention(creator)}. **Description:**\n${quoted(channel.description)}`;
}
