/**
 * Notifications in the formats of the apps: the encrypted one (public reference: "Mobile notifications"), and the older ones for the
 * services of Apple and Google.
 */
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../access/limits.ts';
import type { Directory } from '../../directory/directory.ts';
import type { MessageNotice } from '../../domain/notifications/push-notifications/notices.ts';
import type { ExternalAddress } from '../../extension/external-address.ts';

/** The account of the notification. An app can have several. */
export interface Account {
  readonly directory: Directory;
  readonly address: ExternalAddress;
  readonly userId: number;
}

interface OldPayloads {
  readonly apns: object;
  readonly gcm: object;
}

/** The content, if only encrypted notifications may contain it (`require_e2ee_push_notifications`). */
const REDACTED = 'New message';

export function encryptedMessage(account: Account, notice: MessageNotice): object {
  const { sender, place, mention } = notice;
  return {
    type: 'message',
    ...ownAccount(account),
    message_id: notice.messageId,
    sender_id: sender.id,
    sender_full_name: sender.fullName,
    sender_avatar_url: sender.avatarUrl,
    time: notice.sentAt,
    content: notice.content,
    ...mentionedGroup(mention),
    ...('channel' in place
      ? {
          recipient_type: 'channel',
          channel_id: place.channel.id,
          channel_name: place.channel.name,
          topic: topicIn(place),
        }
      : { recipient_type: 'direct', ...groupOf(place.participants) }),
  };
}

/** @param isRedacted without the text of the message */
export function plainMessage(account: Account, notice: MessageNotice, isRedacted: boolean): OldPayloads {
  const { sender, place, mention, messageId } = notice;
  const body = isRedacted ? REDACTED : notice.content;
  const about = {
    sender_id: sender.id,
    sender_email: sender.email,
    ...mentionedGroup(mention),
    ...('channel' in place
      ? { recipient_type: 'stream', stream: place.channel.name, stream_id: place.channel.id, topic: topicIn(place) }
      : { recipient_type: 'private', ...groupOf(place.participants) }),
  };
  return {
    apns: {
      alert: { title: titleOf(notice), subtitle: subtitleOf(notice), body },
      sound: 'default',
      // The reference sends no number; apps count themselves.
      badge: 0,
      custom: { zulip: { ...ownAccountOfOld(account), ...about, message_ids: [messageId] } },
    },
    gcm: {
      ...ownAccountOfAndroid(account),
      ...about,
      event: 'message',
      zulip_message_id: messageId,
      time: notice.sentAt,
      content: body,
      sender_full_name: sender.fullName,
      sender_avatar_url: sender.avatarUrl,
    },
  };
}

/** @param messageIds ascending */
export function encryptedRemoval(account: Account, messageIds: readonly number[]): object {
  return { type: 'remove', ...ownAccount(account), message_ids: messageIds };
}

export function plainRemoval(account: Account, messageIds: readonly number[]): OldPayloads {
  const about = { event: 'remove', zulip_message_ids: messageIds.join(',') };
  return {
    apns: { badge: 0, custom: { zulip: { ...ownAccountOfOld(account), ...about } } },
    gcm: { ...ownAccountOfAndroid(account), ...about },
  };
}

export function encryptedTest(account: Account, sentAt: number): object {
  return { type: 'test', ...ownAccount(account), time: sentAt };
}

/** The input of the push service for a test notification. */
export function plainTest(account: Account): object {
  return ownAccountOfAndroid(account);
}

function ownAccount({ directory, address, userId }: Account) {
  const { name, subdomain } = directory.organization;
  return { realm_url: address.of(subdomain), realm_name: name, user_id: userId };
}

function ownAccountOfOld(account: Account) {
  const own = ownAccount(account);
  return { ...own, realm_uri: own.realm_url };
}

function ownAccountOfAndroid(account: Account) {
  const { address, directory } = account;
  return {
    server: new URL(address.of('')).host,
    realm_id: directory.organization.id,
    ...ownAccountOfOld(account),
  };
}

function mentionedGroup(mention: MessageNotice['mention']) {
  if (typeof mention === 'string') return {};
  return { mentioned_user_group_id: mention.groupId, mentioned_user_group_name: mention.groupName };
}

/** For conversations of more than two users. */
function groupOf(participants: readonly { readonly id: number }[]) {
  return participants.length > 2 ? { pm_users: participants.map(({ id }) => id).join(',') } : {};
}

/** The apps show it as it is. */
function topicIn({ topic }: { readonly topic: string }): string {
  return topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** The first line on an iPhone. */
function titleOf({ place, sender }: MessageNotice): string {
  if ('channel' in place) return `#${place.channel.name} > ${topicIn(place)}`;
  if (place.participants.length <= 2) return sender.fullName;
  return place.participants
    .map(({ fullName }) => fullName)
    .toSorted()
    .join(', ');
}

/** The second line. */
function subtitleOf({ place, sender, mention }: MessageNotice): string {
  if (mention === 'personal') return `${sender.fullName} mentioned you:`;
  if (mention === 'everyone') return `${sender.fullName} mentioned everyone:`;
  if (mention !== 'none') return `${sender.fullName} mentioned @${mention.groupName}:`;
  return 'channel' in place || place.participants.length > 2 ? `${sender.fullName}:` : '';
}
