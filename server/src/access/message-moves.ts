/**
 * Who may move messages between topics and channels, and who may resolve topics (public reference: "Restrict moving
 * messages", "Restrict resolving topics"). Administrators of the organization or the channel always may.
 */
import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import type { OrganizationPermission } from '@heddle/api/permissions.ts';
import type { Directory } from '../directory/directory.ts';
import { type ChannelGroupSetting, type ChannelRecord, Role, type UserRecord } from '../directory/records.ts';
import { accessChannel, channelRefusal, hasChannelPermission } from './channels.ts';
import { isPast, type SeenMessage } from './message-door.ts';
import { hasPermission, organizationSetting } from './organization-settings.ts';

/** A move of messages that a user requests. */
export interface MoveOfMessage {
  readonly from: ChannelRecord;
  /** The same channel if only the topic changes. */
  readonly to: ChannelRecord;
  /**
   * What happens to the name of the topic. `resolved` and `unresolved`: the mark of resolved topics is set or removed.
   */
  readonly topic: 'kept' | 'renamed' | 'resolved' | 'unresolved';
}

/**
 * Returns the channel to which messages are to be moved.
 * @throws ApiError with the same message for a channel that does not exist, is archived, or is not readable for the
 * user
 */
export function accessDestination(directory: Directory, user: UserRecord, channelId: number): ChannelRecord {
  const channel = accessChannel(directory, user, channelId, 'read');
  if (channel.isArchived) throw badRequest('Invalid channel ID');
  return channel;
}

/**
 * Returns why the user may not make this move, regardless of the age of the messages; undefined if they may. The topics
 * policy of the destination is not checked here.
 */
export function moveRefusal(directory: Directory, user: UserRecord, move: MoveOfMessage): ApiError | undefined {
  return topicRefusal(directory, user, move) ?? channelRefusalOf(directory, user, move);
}

function topicRefusal(
  directory: Directory,
  user: UserRecord,
  { from, to, topic }: MoveOfMessage,
): ApiError | undefined {
  const channels = from === to ? [from] : [from, to];
  const may = (anywhere: OrganizationPermission, here: ChannelGroupSetting) =>
    hasPermission(directory, user, anywhere) ||
    channels.some((channel) => hasChannelPermission(directory, user, channel, here));
  if (topic === 'kept') return undefined;
  if (topic === 'resolved' || topic === 'unresolved') {
    return may('can_resolve_topics_group', 'can_resolve_topics')
      ? undefined
      : badRequest("You don't have permission to resolve topics in this channel.");
  }
  const mayRename =
    may('can_move_messages_between_topics_group', 'can_move_messages_within_channel') ||
    channels.some((channel) => administers(directory, user, channel));
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
  /** How long after they were sent messages can be moved this way, in seconds. Null: forever. */
  readonly seconds: number | null;
  /** The error message of the reference if the time limit has passed; undefined if the message is new enough. */
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

/** Time limits do not apply to moderators. */
function limitFor(
  directory: Directory,
  user: UserRecord,
  name: 'move_messages_within_channel_limit_seconds' | 'move_messages_between_channels_limit_seconds',
): number | null {
  if (user.role <= Role.moderator) return null;
  const limit = organizationSetting(directory, name);
  return limit === null ? null : limit + GRACE_SECONDS;
}

/** Extra seconds after a time limit, because clients let users finish an edit that they began in time. */
const GRACE_SECONDS = 20;

function administers(directory: Directory, user: UserRecord, channel: ChannelRecord): boolean {
  return channelRefusal(directory, user, channel, 'administer') === undefined;
}
