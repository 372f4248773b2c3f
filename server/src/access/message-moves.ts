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
 * Why the user may not move a message that they see so; undefined where they may. What the destination says of topics is not asked here.
 * @param now seconds since the epoch
 */
export function moveRefusal(
  directory: Directory,
  user: UserRecord,
  message: SeenMessage,
  move: MoveOfMessage,
  now: number,
): ApiError | undefined {
  return topicRefusal(directory, user, message, move, now) ?? channelRefusalOf(directory, user, message, move, now);
}

function topicRefusal(
  directory: Directory,
  user: UserRecord,
  message: SeenMessage,
  { from, to, topic }: MoveOfMessage,
  now: number,
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
  if (!mayRename) return badRequest("You don't have permission to edit this message");
  const limit = limitFor(directory, user, 'move_messages_within_channel_limit_seconds');
  if (isPast(message, limit, now)) return badRequest("The time limit for editing this message's topic has passed.");
  return undefined;
}

function channelRefusalOf(
  directory: Directory,
  user: UserRecord,
  message: SeenMessage,
  { from, to }: MoveOfMessage,
  now: number,
): ApiError | undefined {
  if (from === to) return undefined;
  const mayLeave =
    hasPermission(directory, user, 'can_move_messages_between_channels_group') ||
    administers(directory, user, from) ||
    hasChannelPermission(directory, user, from, 'can_move_messages_out_of_channel');
  if (!mayLeave) return badRequest("You don't have permission to move this message");
  const posting = channelRefusal(directory, user, to, 'post');
  if (posting !== undefined) return posting;
  const limit = limitFor(directory, user, 'move_messages_between_channels_limit_seconds');
  if (isPast(message, limit, now)) return badRequest("The time limit for editing this message's channel has passed");
  return undefined;
}

/** For how long after they were sent all messages of a topic can be moved so together, in seconds; null: for ever. */
export function moveLimit(directory: Directory, user: UserRecord, { from, to, topic }: MoveOfMessage): number | null {
  const limits = [
    topic === 'renamed' ? limitFor(directory, user, 'move_messages_within_channel_limit_seconds') : null,
    from === to ? null : limitFor(directory, user, 'move_messages_between_channels_limit_seconds'),
  ].filter((limit) => limit !== null);
  // Resolving is not bound by time, wherever the topic goes.
  return limits.length === 0 || topic === 'resolved' || topic === 'unresolved' ? null : Math.min(...limits);
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
