/** Whom a message is to be told on their phones, and why (public reference: "Mobile notifications", "Channel notifications"). */
import { Policy } from '../topics/queries.ts';
import type { Settings } from '../user-settings/queries.ts';

/** Why somebody is told. Of several, the first that there is. */
export type Cause = 'direct' | 'mentioned' | 'everyone' | 'followed' | 'channel';

/** How a user stands to a channel and a topic in it. */
export interface Standing {
  readonly isMuted: boolean;
  /** Null: as the user's own settings say. */
  readonly pushNotifications: boolean | null;
  readonly wildcardMentionsNotify: boolean | null;
  /** 0: none of the user's. */
  readonly policy: number;
}

/** What of a message concerns a user. */
export interface Concern {
  readonly isDirect: boolean;
  /** By name, or as a member of a group. */
  readonly isMentioned: boolean;
  /** The channel or the topic is mentioned, and the user with it. */
  readonly isAmongEveryone: boolean;
  /** Null where the user is not subscribed, and for direct messages. */
  readonly standing: Standing | null;
}

/** Undefined: not at all, however idle the user is. */
export function causeOf({ isDirect, isMentioned, isAmongEveryone, standing }: Concern, settings: Settings) {
  const tellsMentions = settings.enable_offline_push_notifications;
  if (isDirect) return tellsMentions ? 'direct' : undefined;
  if (isMentioned && tellsMentions) return 'mentioned';
  if (standing === null) return undefined;
  const isFollowed = standing.policy === Policy.followed;
  if (isAmongEveryone && tellsMentions) {
    if (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) return 'everyone';
    if (allows(standing, standing.wildcardMentionsNotify, settings.wildcard_mentions_notify)) return 'everyone';
  }
  if (isFollowed && settings.enable_followed_topic_push_notifications) return 'followed';
  return allows(standing, standing.pushNotifications, settings.enable_stream_push_notifications)
    ? 'channel'
    : undefined;
}

/** Muting comes first, then what is set for the channel, then what holds for all channels. */
function allows({ isMuted, policy }: Standing, ofChannel: boolean | null, ofAll: boolean): boolean {
  if (policy === Policy.muted || (isMuted && policy !== Policy.unmuted)) return false;
  return ofChannel ?? ofAll;
}
