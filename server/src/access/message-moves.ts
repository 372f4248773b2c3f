/**
 * Who may move messages, between topics and between channels, and who may resolve topics (public reference: "Restrict moving messages",
 * "Restrict resolving topics"). Administrators, of the organization and of the channel, always may.
 */
import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import type { OrganizationPermission } from '@heddle/api/permissions.ts';
import type { Directory } from '../directory/directory.ts';
import { type ChannelGroupSetting, type ChannelRecord, Role, type UserRecord } from '../directory/records.ts';
import { accessChannel, channelRefusal, hasChannelPermission } from './channels.ts';
import { isPast, type SeenMessage } from './message-door.ts';
import { hasPermission, organizationSetting } from './organization-settings.ts';

/** Where a message is to go from where. */
export interface MoveOfMessage {
  readonly from: ChannelRecord;
  /** The same, where only the topic changes. */
  readonly to: ChannelRecord;
  /** What becomes of the topic's name: nothing, another one, or the mark of resolved topics is set or taken away. */
  readonly topic: 'kept' | 'renamed' | 'resolved' | 'unresolved';
}

/**
 * The channel that messages are to be moved to.
 * @throws ApiError in the same words for one that does not exist, is archived, or is not for this user to read
 */
export function accessDestination(directory: Directory, user: UserRecord, channelId: number): ChannelRecord {
  const channel = accessChannel(directory, user, channelId, 'read');
  if (channel.isArchived) throw badRequest('Invalid channel ID');
  return channel;
}

/**
 * Why the user may not move messages that they see so, however new they are; undefined where they may. What the destination says of topics
 * is not asked here.
 */
export function moveRefusal(directory: Directory, user: UserRecord, move: MoveOfMessage): ApiError | undefined {
  return topicRefusal(directory, user, move) ?? channelRefusalOf(directory, user, move);
}

function topicRefusal(
  directory: Directory,
  user: UserRecord,
  { from, to, topic }: MoveOfMessage,
): ApiError | undefined {
  const places = from === to ? [from] : [from, to];
  const may = (anywhere: OrganizationPermission, here: ChannelGroupSetting) =>
    hasPermission(directory, user, anywhere) ||
    places.some((channel) => hasChannelPermission(directory, user, channel, here));
  if (topic === 'kept') return undefined;
  if (topic === 'resolved' || topic === 'unresolved') {
    return may('can_resolve_topics_group', 'can_resolve_topics')
      ? undefined
      : badRequest("You don't have permission to resolve topics in this channel.");
  }
  const mayRename =
    may('can_move_messages_between_topics_group', 'can_move_messages_within_channel') ||
    places.some((channel) => administers(directory, user, channel));
  return mayRename ? undefined : badRequest("You don't have permission to edit this message");
}

function channelRefusalOf(directory: Directory, user: UserRecord, { from, to }: MoveOfMessage): ApiError | undefined {
  if (from === to) return undefined;
  const mayLeave =
    hasPermission(directory, user, 'can_move_messages_between_channels_group') ||
    administers(directory, user, from) ||
    hasChannelPermission(directory, user, from, 'can_move_messages_out_of_channel');
  if (!mayLeave) return badRequest("You don't have permission to move this message");
  return channelRefusal(directory, user, to, 'post');
}

export interface MoveLimits {
  /** For how long after they were sent messages can be moved so, in seconds; null: for ever. */
  readonly seconds: number | null;
  /** In the reference's words, what forbids that this message moves; undefined where it is new enough. */
  readonly passed: string | undefined;
}

/** @param now seconds since the epoch */
export function moveLimits(
  directory: Directory,
  user: UserRecord,
  message: SeenMessage,
  { from, to, topic }: MoveOfMessage,
  now: number,
): MoveLimits {
  const ofTopic = topic === 'renamed' ? limitFor(directory, user, 'move_messages_within_channel_limit_seconds') : null;
  const ofChannel = from === to ? null : limitFor(directory, user, 'move_messages_between_channels_limit_seconds');
  const limits = [ofTopic, ofChannel].filter((limit) => limit !== null);
  const seconds = limits.length === 0 ? null : Math.min(...limits);
  if (isPast(message, ofTopic, now)) {
    return { seconds, passed: "The time limit for editing this message's topic has passed." };
  }
  if (isPast(message, ofChannel, now)) {
    return { seconds, passed: "The time limit for editing this message's channel has passed" };
  }
  return { seconds, passed: undefined };
}

/** Limits do not bind moderators. */
function limitFor(
  directory: Directory,
  user: UserRecord,
  name: 'move_messages_within_channel_limit_seconds' | 'move_messages_between_channels_limit_seconds',
): number | null {
  if (user.role <= Role.moderator) return null;
  const limit = organizationSetting(directory, name);
  return limit === null ? null : limit + GRACE;
}

/** Seconds beyond a limit in which a change that was begun within it may still come: clients let people finish. */
const GRACE = 20;

function administers(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  return channelRefusal(directory, user, channel, 'administer') === undefined;
}
