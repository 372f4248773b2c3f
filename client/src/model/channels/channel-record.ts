import type { Channel, EventOfType, Subscription } from '../../calls/types.ts';
import {
  CHANNEL_SETTINGS,
  changedByProperty,
  fromWire,
  type RecordFields,
  SUBSCRIPTION_SETTINGS,
} from '../channel-settings.ts';

/** The permissions of a channel, by their names on the wire. */
export type ChannelPermissions = Readonly<Pick<Channel, Extract<keyof Channel, `can_${string}_group`>>>;
export type ChannelPermission = keyof ChannelPermissions;

/** The own settings of a subscription. */
export type SubscriptionSettings = RecordFields<typeof SUBSCRIPTION_SETTINGS, Subscription>;

type PlainSettings = RecordFields<typeof CHANNEL_SETTINGS, Channel>;

/** A channel, and the own subscription to it. Immutable: a change makes a new record. */
export interface ChannelRecord extends PlainSettings {
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
  /** Null if the channel has no messages. */
  readonly firstMessageId: number | null;
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
    ...fromWire(CHANNEL_SETTINGS, channel),
    firstMessageId: channel.first_message_id,
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
  return fromWire(SUBSCRIPTION_SETTINGS, subscription);
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
    case 'first_message_id':
      return { firstMessageId: event.value };
    case 'is_recently_active':
      return { isRecentlyActive: event.value };
    // Older names of `can_send_message_group`, which has an event of its own.
    case 'stream_post_policy':
    case 'is_announcement_only':
      return {};
    default:
      if (event.property in channel.permissions) {
        return { permissions: { ...channel.permissions, [event.property]: event.value } };
      }
      // A newer server can change fields that this client does not know.
      return changedByProperty(CHANNEL_SETTINGS, channel, event.property, event.value);
  }
}

/** The settings after an event with a property and a value of the wire. The same object if it is another property. */
export function changedSettings(
  settings: SubscriptionSettings,
  property: string,
  value: unknown,
): SubscriptionSettings {
  return changedByProperty(SUBSCRIPTION_SETTINGS, settings, property, value);
}
