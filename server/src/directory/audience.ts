import type { Audience, LoggedEvent } from '../log/event.ts';
import type { AudienceResolver } from '../log/long-poll.ts';
import { canAccessId } from './accessible-users.ts';
import type { Directory } from './directory.ts';
import { contains } from './lists.ts';
import { Role } from './records.ts';
import { hadMetadataAccessUnsubscribed } from './visibility.ts';

/**
 * Resolves audiences as of the event. Subscriptions, roles, channel access and groups are dated. For an up-to-date
 * reader, this costs one comparison.
 */
export function audienceResolver(directory: Directory): AudienceResolver {
  // Subscriptions of deactivated users remain, and a request authenticated earlier may still wait. It receives nothing
  // more.
  const mayRead = (userId: number): boolean => directory.user(userId)?.isActive !== false;
  return {
    mayRead,
    queuesResetAt: (userId) => directory.history.queuesResetAt(userId),
    includes(event, userId, followsPublicChannels) {
      if (!mayRead(userId)) return false;
      return isIn(directory, event.audience, event.id, userId, followsPublicChannels);
    },
    usersIn(event) {
      const { audience } = event;
      if (audience.to === 'users')
        return { size: audience.users.length, [Symbol.iterator]: () => audience.users.values() };
      if (audience.to !== 'subscribers') return undefined;
      return subscribersAt(directory, audience.channelId, event);
    },
  };
}

function isIn(
  directory: Directory,
  audience: Audience,
  eventId: number,
  userId: number,
  followsPublicChannels: boolean,
): boolean {
  switch (audience.to) {
    case 'users':
      return contains(audience.users, userId);
    case 'everyone':
      return audience.except === undefined || !contains(audience.except, userId);
    case 'group': {
      const user = directory.user(userId);
      if (user === undefined) return false;
      const { history, groups } = directory;
      const { groupId } = audience;
      return history.groupsAfter(groups, eventId).includes(groupId, history.userAfter(user, eventId));
    }
    case 'subscribers':
      if (directory.subscriptions.hadAt(audience.channelId, userId, eventId)) return true;
      if (audience.only || !followsPublicChannels) return false;
      return wasPublicTo(directory, userId, audience.channelId, eventId);
    case 'channel-viewers': {
      if (audience.except !== undefined && contains(audience.except, userId)) return false;
      const user = directory.user(userId);
      const channel = directory.channel(audience.channelId);
      if (user === undefined || channel === undefined) return false;
      if (hadMetadataAccessUnsubscribed(directory, user, channel, eventId, audience)) return true;
      // Includes the event that subscribes: it is announced to the subscribers that it creates.
      return directory.subscriptions.hadAt(channel.id, userId, eventId + 1);
    }
    case 'usersWithoutAccess': {
      const user = directory.user(userId);
      if (user === undefined || canAccessId(directory, user, audience.userId, eventId)) return false;
      return isIn(directory, audience.among, eventId, userId, followsPublicChannels);
    }
    case 'any':
      return (
        audience.of.some((part) => isIn(directory, part, eventId, userId, followsPublicChannels)) &&
        (audience.except === undefined || !isIn(directory, audience.except, eventId, userId, followsPublicChannels))
      );
    case 'nobody':
      return false;
    default:
      throw new Error(`unknown audience: ${JSON.stringify(audience satisfies never)}`);
  }
}

function subscribersAt(directory: Directory, channelId: number, event: LoggedEvent) {
  if (directory.subscriptions.endedSince(channelId, event.id)) return undefined;
  const subscribers = directory.subscriptions.of(channelId);
  return { size: subscribers.size, [Symbol.iterator]: () => subscribers.keys() };
}

function wasPublicTo(directory: Directory, userId: number, channelId: number, eventId: number): boolean {
  const user = directory.user(userId);
  const channel = directory.channel(channelId);
  if (user === undefined || channel === undefined) return false;
  const { history } = directory;
  return history.userAfter(user, eventId).role !== Role.guest && !history.channelAfter(channel, eventId).isPrivate;
}
