import type { channel as channelSchema } from '@heddle/api/objects/channel.ts';
import type { Static } from 'typebox';
import { plainSettings } from '../../directory/channel-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import { type ChannelRecord, SystemGroup } from '../../directory/records.ts';
import type { NewEvent } from '../../log/event.ts';
import { presentGroupSettings } from './group-settings.ts';

/** A channel with the other values of its API object, at one point in time. It is stored as JSON in events. */
export interface ChannelView {
  readonly channel: ChannelRecord;
  /** Active accounts only. */
  readonly subscriberCount: number;
  readonly postPolicy: PostPolicy;
  /** Deactivated accounts in its permissions, which clients do not see. */
  readonly deactivated?: readonly number[] | undefined;
}

/** The body of an event of type `stream`. */
export type ChannelEvent =
  /** The channels are new, or the audience gained metadata access. */
  | { readonly op: 'create'; readonly views: readonly ChannelView[] }
  /** The audience lost metadata access to the channels. */
  | { readonly op: 'delete'; readonly channels: readonly { readonly id: number; readonly isArchived: boolean }[] }
  /** The visibility of the channel changed, or how much of its history subscribers can read. */
  | {
      readonly op: 'visibility';
      readonly channelId: number;
      readonly name: string;
      readonly isArchived: boolean;
      readonly isPrivate: boolean;
      readonly isWebPublic: boolean;
      readonly historyPublicToSubscribers: boolean;
    }
  /** One of the channel's settings changed. */
  | ({
      readonly op: 'update';
      readonly channelId: number;
      /** The previous name, which clients know. */
      readonly name: string;
      readonly isArchived: boolean;
    } & ChannelUpdate)
  /** The channel was archived. For clients without the capability, it was deleted. */
  | { readonly op: 'archive'; readonly channelId: number; readonly name: string }
  /** The channel is open again. For clients without the capability, it is new. */
  | { readonly op: 'unarchive'; readonly view: ChannelView }
  /**
   * The channel has a new first message: `firstMessageId`, or null for none. Without the field, it is the message of
   * the event.
   */
  | {
      readonly op: 'first-message';
      readonly channelId: number;
      readonly name: string;
      readonly firstMessageId?: number | null;
      readonly isArchived?: true;
    };

/** A setting with the name and value of the API. */
export interface ChannelUpdate {
  readonly property: string;
  readonly value: unknown;
  /** With a description only. */
  readonly renderedDescription?: string;
}

/** Announces that the channel is recently active, or is not any more (interface document, "Channel"). */
export function activityEvent({ id, name, isArchived }: ChannelRecord, isRecentlyActive: boolean): NewEvent {
  const update = { property: 'is_recently_active', value: isRecentlyActive };
  const body: ChannelEvent = { op: 'update', channelId: id, name, isArchived, ...update };
  return {
    type: 'stream',
    audience: { to: 'channel-viewers', channelId: id },
    body,
    deltas: [{ delta: 'channel-activity', channelId: id, isRecentlyActive }],
  };
}

/** The body of an event of type `default_streams`: all default channels, in ascending order. */
export interface DefaultChannelsEvent {
  readonly channelIds: readonly number[];
}

export type WireChannel = Static<typeof channelSchema>;

/** The value of the deprecated post policy: 1 everyone, 2 administrators, 3 full members, 4 moderators. */
type PostPolicy = 1 | 2 | 3 | 4;

/** The API's channel object (interface document, "Channel"). */
export function presentChannel(view: ChannelView): WireChannel {
  const { channel } = view;
  return {
    stream_id: channel.id,
    name: channel.name,
    is_archived: channel.isArchived,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: channel.createdAt,
    creator_id: channel.creatorId,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    stream_post_policy: view.postPolicy,
    is_announcement_only: view.postPolicy === 2,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    ...plainSettings(channel),
    first_message_id: channel.firstMessageId,
    // Events of older versions do not have the field.
    is_recently_active: channel.isRecentlyActive !== false,
    subscriber_count: view.subscriberCount,
    // In the API, null means "not enough data". Heddle keeps no statistics of messages per week.
    stream_weekly_traffic: null,
    ...presentGroupSettings(channel.groupSettings, view.deactivated),
  };
}

const texts = new WeakMap<ChannelRecord, { readonly view: ChannelView; readonly text: string }>();

/** The API's channel object as JSON, cached until its content changes. Every register lists all channels. */
export function channelText(view: ChannelView): string {
  const known = texts.get(view.channel);
  if (known !== undefined && isSameView(known.view, view)) return known.text;
  const text = JSON.stringify(presentChannel(view));
  texts.set(view.channel, { view, text });
  return text;
}

function isSameView(a: ChannelView, b: ChannelView): boolean {
  return (
    a.subscriberCount === b.subscriberCount &&
    a.postPolicy === b.postPolicy &&
    a.deactivated?.join() === b.deactivated?.join()
  );
}

/** The deprecated post policy. If the permission is not one of these groups, it says that everyone can post. */
export function postPolicyOf(directory: Directory, channel: ChannelRecord): PostPolicy {
  const { groups } = directory;
  switch (channel.groupSettings.can_send_message) {
    case groups.idOf(SystemGroup.administrators):
      return 2;
    case groups.idOf(SystemGroup.fullMembers):
      return 3;
    case groups.idOf(SystemGroup.moderators):
      return 4;
    default:
      return 1;
  }
}
