import type { UserSettings } from '@heddle/client/calls/types.ts';
import type { SubscriptionSettings } from '@heddle/client/model/channels/channel-record.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { TopicPolicy } from '@heddle/client/model/own/topic-policies.ts';

/** The settings of the account that decide about notifications. */
export type NotificationSettings = Pick<
  UserSettings,
  | 'enable_desktop_notifications'
  | 'enable_sounds'
  | 'enable_stream_desktop_notifications'
  | 'enable_stream_audible_notifications'
  | 'enable_followed_topic_desktop_notifications'
  | 'enable_followed_topic_audible_notifications'
  | 'enable_followed_topic_wildcard_mentions_notify'
  | 'wildcard_mentions_notify'
  | 'notification_sound'
>;

export type NotifiedMessage = Pick<
  MessageRecord,
  'senderId' | 'isRead' | 'isMentioned' | 'isChannelMentioned' | 'isTopicMentioned' | 'hasAlertWord'
>;

/** What is known about the place of the message. */
export type NotifiedPlace =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'topic';
      readonly policy: TopicPolicy;
      /** Null if the user is not subscribed. */
      readonly channel: Pick<
        SubscriptionSettings,
        'isMuted' | 'desktopNotifications' | 'audibleNotifications' | 'wildcardMentionsNotify'
      > | null;
    };

export interface NotificationContext {
  readonly ownId: number;
  readonly settings: NotificationSettings;
  readonly place: NotifiedPlace;
  readonly isSenderMuted: boolean;
  /** Whether the user has quiet hours, and the message is no exception. */
  readonly isQuiet: boolean;
}

export interface Decision {
  /** Show a notification of the desktop. */
  readonly desktop: boolean;
  readonly sound: boolean;
}

const NOTHING: Decision = { desktop: false, sound: false };

/** How a message notifies. Whether the user already sees it is another question. */
export function decide(message: NotifiedMessage, context: NotificationContext): Decision {
  if (!canNotify(message, context)) return NOTHING;
  const { settings } = context;
  const desktop =
    isWantedHere(context, 'desktopNotifications') ||
    (settings.enable_desktop_notifications && isPersonal(message, context));
  const sound =
    settings.notification_sound !== 'none' &&
    (isWantedHere(context, 'audibleNotifications') || (settings.enable_sounds && isPersonal(message, context)));
  return { desktop, sound };
}

/** Whether nothing forbids it, whatever the settings say. A mention of the user is stronger than a muted topic. */
function canNotify(message: NotifiedMessage, { ownId, place, isSenderMuted, isQuiet }: NotificationContext): boolean {
  if (message.senderId === ownId || message.isRead || isSenderMuted || isQuiet) return false;
  return message.isMentioned || place.kind === 'direct' || !isTopicMuted(place);
}

function isTopicMuted({ policy, channel }: Extract<NotifiedPlace, { kind: 'topic' }>): boolean {
  return policy === 'inherit' ? (channel?.isMuted ?? false) : policy === 'muted';
}

/** Whether all messages of this channel or followed topic notify. */
function isWantedHere(
  { place, settings }: NotificationContext,
  what: 'desktopNotifications' | 'audibleNotifications',
): boolean {
  if (place.kind === 'direct') return false;
  const [ofFollowed, ofChannels] =
    what === 'desktopNotifications'
      ? [settings.enable_followed_topic_desktop_notifications, settings.enable_stream_desktop_notifications]
      : [settings.enable_followed_topic_audible_notifications, settings.enable_stream_audible_notifications];
  if (place.policy === 'followed' && ofFollowed) return true;
  return place.channel !== null && (place.channel[what] ?? ofChannels);
}

/** Whether the message is meant for the user: a direct message, a mention, or an alert word. */
function isPersonal(message: NotifiedMessage, { place, settings }: NotificationContext): boolean {
  if (place.kind === 'direct' || message.isMentioned || message.hasAlertWord) return true;
  if (!message.isChannelMentioned && !message.isTopicMentioned) return false;
  if (place.policy === 'followed' && settings.enable_followed_topic_wildcard_mentions_notify) return true;
  return place.channel?.wildcardMentionsNotify ?? settings.wildcard_mentions_notify;
}
