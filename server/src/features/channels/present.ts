import type { channel as channelSchema } from '@heddle/api/objects/channel.ts';
import type { Static } from 'typebox';
import type { Directory } from '../../directory/directory.ts';
import { type ChannelRecord, SystemGroup } from '../../directory/records.ts';
import type { NewEvent } from '../../log/event.ts';
import { presentGroupSettings } from './group-settings.ts';

/**
 * A channel with what its wire object says beyond the record, as of one moment. Survives JSON: events carry it.
 */
export interface ChannelView {
  readonly channel: ChannelRecord;
  /** Active accounts only. */
  readonly subscriberCount: number;
  readonly postPolicy: PostPolicy;
  /** Whom its permissions name without their being told. */
  readonly deactivated?: readonly number[] | undefined;
}

/** The body of an event of type `stream`. */
export type ChannelEvent =
  /** The channels exist now, or the audience may know them from now on. */
  | { readonly op: 'create'; readonly views: readonly ChannelView[] }
  /** The audience may not know the channels any more. */
  | { readonly op: 'delete'; readonly channels: readonly { readonly id: number; readonly isArchived: boolean }[] }
  /** Others see the channel from now on, or its subscribers see another part of its history. */
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
      /** As it was: the one that clients know. */
      readonly name: string;
      readonly isArchived: boolean;
    } & ChannelUpdate)
  /** It is archived now: gone, for clients that know of no archived channels. */
  | { readonly op: 'archive'; readonly channelId: number; readonly name: string }
  /** It is open again: new, for those. */
  | { readonly op: 'unarchive'; readonly view: ChannelView }
  /** The event's message is the channel's first; or `firstMessageId`, where others were deleted or moved away: null if there are none. */
  | {
      readonly op: 'first-message';
      readonly channelId: number;
      readonly name: string;
      readonly firstMessageId?: number | null;
      readonly isArchived?: true;
    };

/** A setting by its name on the wire, with its value there. */
export interface ChannelUpdate {
  readonly property: string;
  readonly value: unknown;
  /** Of a description. */
  readonly renderedDescription?: string;
}

/** Tells those who know the channel that it is recently active now, or not any more (interface document, "Channel"). */
export function activityEvent({ id, name, isArchived }: ChannelRecord, isRecentlyActive: boolean): NewEvent {
  const update = { property: 'is_recently_active', value: isRecentlyActive };
  const body: ChannelEvent = { op: 'update', channelId: id, name, isArchived, ...update };
  return {
    type: 'stream',
    audience: { to: 'channel-viewers', channelId: id },
    body,
    facts: [{ fact: 'channel-activity', channelId: id, isRecentlyActive }],
  };
}

/** The body of an event of type `default_streams`: all default channels, in ascending order. */
export interface DefaultChannelsEvent {
  readonly channelIds: readonly number[];
}

export type WireChannel = Static<typeof channelSchema>;

/** Who may post, in the deprecated field's terms: 1 all, 2 administrators, 3 full members, 4 moderators. */
type PostPolicy = 1 | 2 | 3 | 4;

/** The wire's channel object (interface document, "Channel"). */
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
    message_retention_days: channel.messageRetentionDays,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    topics_policy: channel.topicsPolicy,
    first_message_id: channel.firstMessageId,
    folder_id: channel.folderId,
    // Missing in events of versions that kept it elsewhere.
    is_recently_active: channel.isRecentlyActive !== false,
    subscriber_count: view.subscriberCount,
    // Null is the wire's word for "not enough data": Heddle keeps no statistics of messages a week.
    stream_weekly_traffic: null,
    ...presentGroupSettings(channel.groupSettings, view.deactivated),
  };
}

const texts = new WeakMap<ChannelRecord, { readonly view: ChannelView; readonly text: string }>();

/** The wire's channel object as JSON, remembered for as long as nothing of it changes: every register lists all channels. */
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

/** What the deprecated field says of who may post; where the permission is no such group, that anyone may. */
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
