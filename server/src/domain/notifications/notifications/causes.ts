import { Policy } from '../../topics/policies.ts';
import type { Settings } from '../../users/user-settings/first-settings.ts';

/** Why a user is notified. The first one that applies counts. */
export type Cause = 'direct' | 'mentioned' | 'everyone' | 'followed' | 'channel';

/** How a user is notified. Each medium has settings of its own. */
export type Medium = 'push' | 'email';

/** The settings of a user for a channel and a topic in it. */
export interface TopicPreferences {
  readonly isMuted: boolean;
  /** Null: the user's general settings apply. */
  readonly notifies: boolean | null;
  readonly wildcardMentionsNotify: boolean | null;
  /** 0: the user has no policy for the topic. */
  readonly policy: number;
}

/** What a message has to do with a user. */
export interface Concern {
  readonly isDirect: boolean;
  /** By name or as a member of a group. */
  readonly isMentioned: boolean;
  /** The channel or the topic is mentioned, and the user belongs to it. */
  readonly isAmongEveryone: boolean;
  /** Null for direct messages, and if the user is not subscribed. */
  readonly preferences: TopicPreferences | null;
}

/** The settings that decide for each medium. */
const SETTINGS = {
  push: {
    mentions: 'enable_offline_push_notifications',
    followed: 'enable_followed_topic_push_notifications',
    channels: 'enable_stream_push_notifications',
  },
  email: {
    mentions: 'enable_offline_email_notifications',
    followed: 'enable_followed_topic_email_notifications',
    channels: 'enable_stream_email_notifications',
  },
} as const satisfies Readonly<Record<Medium, Readonly<Record<string, keyof Settings>>>>;

/** Undefined: no notification, however idle the user is. */
export function causeOf(
  { isDirect, isMentioned, isAmongEveryone, preferences }: Concern,
  settings: Settings,
  medium: Medium,
): Cause | undefined {
  const names = SETTINGS[medium];
  const tellsMentions = settings[names.mentions];
  if (isDirect) return tellsMentions ? 'direct' : undefined;
  if (isMentioned && tellsMentions) return 'mentioned';
  if (preferences === null) return undefined;
  const isFollowed = preferences.policy === Policy.followed;
  if (isAmongEveryone && tellsMentions) {
    if (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) return 'everyone';
    if (allows(preferences, preferences.wildcardMentionsNotify, settings.wildcard_mentions_notify)) return 'everyone';
  }
  if (isFollowed && settings[names.followed]) return 'followed';
  return allows(preferences, preferences.notifies, settings[names.channels]) ? 'channel' : undefined;
}

/** Muting takes precedence over the setting of the channel, and that over the general setting. */
function allows({ isMuted, policy }: TopicPreferences, ofChannel: boolean | null, ofAll: boolean): boolean {
  if (policy === Policy.muted || (isMuted && policy !== Policy.unmuted)) return false;
  return ofChannel ?? ofAll;
}
