import type { Channel, EventOfType, Subscription, TopicsPolicy } from '../../calls/types.ts';

/** The permissions of a channel, by their names on the wire. */
export type ChannelPermissions = Readonly<Pick<Channel, Extract<keyof Channel, `can_${string}_group`>>>;
export type ChannelPermission = keyof ChannelPermissions;

/** The own settings of a subscription. Null means that the general notification setting of the user applies. */
export interface SubscriptionSettings {
  /** For example `#76ce90`. */
  readonly color: string;
  readonly isMuted: boolean;
  readonly isPinned: boolean;
  readonly desktopNotifications: boolean | null;
  readonly audibleNotifications: boolean | null;
  readonly pushNotifications: boolean | null;
  readonly emailNotifications: boolean | null;
  readonly wildcardMentionsNotify: boolean | null;
}

/** A channel, and the own subscription to it. Immutable: a change makes a new record. */
export interface ChannelRecord {
  readonly id: number;
  readonly name: string;
  /** Markdown source. */
  readonly description: string;
  readonly descriptionHtml: string;
  readonly isArchived: boolean;
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  /** False if subscribers read only what was sent while they were subscribed. */
  readonly hasSharedHistory: boolean;
  readonly creatorId: number | null;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  /** Null: the setting of the organization applies. -1: forever. */
  readonly retentionDays: number | null;
  readonly topicsPolicy: TopicsPolicy;
  /** Null if the channel has no messages. */
  readonly firstMessageId: number | null;
  readonly folderId: number | null;
  readonly isRecentlyActive: boolean;
  /** Without deactivated users. */
  readonly subscriberCount: number;
  /** Messages per week. Null if the channel is too new. */
  readonly weeklyTraffic: number | null;
  readonly permissions: ChannelPermissions;
  readonly isSubscribed: boolean;
  /** Kept after unsubscribing. Null if the user never subscribed, or if the client learned of the channel later. */
  readonly settings: SubscriptionSettings | null;
}

/** Reads a channel of the wire. */
export function channelRecord(
  channel: Channel,
  own: Pick<ChannelRecord, 'isSubscribed' | 'settings'> = { isSubscribed: false, settings: null },
): ChannelRecord {
  return {
    id: channel.stream_id,
    name: channel.name,
    description: channel.description,
    descriptionHtml: channel.rendered_description,
    isArchived: channel.is_archived,
    isPrivate: channel.invite_only,
    isWebPublic: channel.is_web_public,
    hasSharedHistory: channel.history_public_to_subscribers,
    creatorId: channel.creator_id,
    createdAt: channel.date_created,
    retentionDays: channel.message_retention_days,
    topicsPolicy: channel.topics_policy,
    firstMessageId: channel.first_message_id,
    folderId: channel.folder_id,
    isRecentlyActive: channel.is_recently_active,
    subscriberCount: channel.subscriber_count,
    weeklyTraffic: channel.stream_weekly_traffic,
    permissions: {
      can_add_subscribers_group: channel.can_add_subscribers_group,
      can_administer_channel_group: channel.can_administer_channel_group,
      can_delete_any_message_group: channel.can_delete_any_message_group,
      can_delete_own_message_group: channel.can_delete_own_message_group,
      can_move_messages_out_of_channel_group: channel.can_move_messages_out_of_channel_group,
      can_move_messages_within_channel_group: channel.can_move_messages_within_channel_group,
      can_remove_subscribers_group: channel.can_remove_subscribers_group,
      can_resolve_topics_group: channel.can_resolve_topics_group,
      can_send_message_group: channel.can_send_message_group,
      can_subscribe_group: channel.can_subscribe_group,
    },
    ...own,
  };
}

/** Reads the own settings of a subscription of the wire. */
export function subscriptionSettings(subscription: Subscription): SubscriptionSettings {
  return {
    color: subscription.color,
    isMuted: subscription.is_muted,
    isPinned: subscription.pin_to_top,
    desktopNotifications: subscription.desktop_notifications,
    audibleNotifications: subscription.audible_notifications,
    pushNotifications: subscription.push_notifications,
    emailNotifications: subscription.email_notifications,
    wildcardMentionsNotify: subscription.wildcard_mentions_notify,
  };
}

type ChannelUpdate = Extract<EventOfType<'stream'>, { readonly op: 'update' }>;

/** The fields of a record that an event changes. */
export function changedByUpdate(channel: ChannelRecord, event: ChannelUpdate): Partial<ChannelRecord> {
  switch (event.property) {
    case 'name':
      return { name: event.value };
    case 'description':
      return { description: event.value, descriptionHtml: event.rendered_description };
    case 'invite_only':
      return {
        isPrivate: event.value,
        isWebPublic: event.is_web_public,
        hasSharedHistory: event.history_public_to_subscribers,
      };
    case 'is_archived':
      return { isArchived: event.value };
    case 'folder_id':
      return { folderId: event.value };
    case 'first_message_id':
      return { firstMessageId: event.value };
    case 'is_recently_active':
      return { isRecentlyActive: event.value };
    case 'message_retention_days':
      return { retentionDays: event.value };
    case 'topics_policy':
      return { topicsPolicy: event.value };
    // Older names of `can_send_message_group`, which has an event of its own.
    case 'stream_post_policy':
    case 'is_announcement_only':
      return {};
    default:
      // A newer server can change fields that this client does not know.
      if (!(event.property in channel.permissions)) return {};
      return { permissions: { ...channel.permissions, [event.property]: event.value } };
  }
}

/** The names of the settings on the wire. `in_home_view` is the older name of the opposite of `is_muted`. */
const SETTING_NAMES: Readonly<Record<string, keyof SubscriptionSettings>> = {
  color: 'color',
  is_muted: 'isMuted',
  pin_to_top: 'isPinned',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
};

/** The settings after an event with a property and a value of the wire. The same object if it is another property. */
export function changedSettings(
  settings: SubscriptionSettings,
  property: string,
  value: unknown,
): SubscriptionSettings {
  const name = SETTING_NAMES[property];
  return name === undefined ? settings : { ...settings, [name]: value };
}
