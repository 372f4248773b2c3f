import type { LoggedEvent } from '../log/event.ts';
import type { AudienceResolver } from '../log/long-poll.ts';
import type { Directory } from './directory.ts';
import { Role } from './records.ts';
import { knowsUnsubscribed } from './visibility.ts';

/** Resolves audiences with the directory, as they were when the event happened: subscriptions are dated. */
export function audienceResolver(directory: Directory): AudienceResolver {
  return {
    includes(event, userId, followsPublicChannels) {
      // Their subscriptions stay, and a request that was let in before may still wait: it gets nothing more.
      if (directory.user(userId)?.isActive === false) return false;
      const { audience } = event;
      switch (audience.to) {
        case 'users':
          return audience.users.includes(userId);
        case 'everyone':
          return !(audience.except?.includes(userId) ?? false);
        case 'subscribers':
          if (directory.subscriptions.hadAt(audience.channelId, userId, event.id)) return true;
          return followsPublicChannels && isPublicTo(directory, userId, audience.channelId);
        case 'channel-viewers': {
          if (audience.except?.includes(userId)) return false;
          const user = directory.user(userId);
          const channel = directory.channel(audience.channelId);
          if (user === undefined || channel === undefined) return false;
          if (knowsUnsubscribed(directory, user, channel)) return true;
          // Also right at the very event that subscribes: it announces itself to the subscribers that it makes.
          return directory.subscriptions.hadAt(channel.id, userId, event.id + 1);
        }
        case 'nobody':
          return false;
      }
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

function subscribersAt(directory: Directory, channelId: number, event: LoggedEvent) {
  if (directory.subscriptions.endedSince(channelId, event.id)) return undefined;
  const subscribers = directory.subscriptions.of(channelId);
  return { size: subscribers.size, [Symbol.iterator]: () => subscribers.keys() };
}

function isPublicTo(directory: Directory, userId: number, channelId: number): boolean {
  const user = directory.user(userId);
  const channel = directory.channel(channelId);
  return user !== undefined && user.role !== Role.guest && channel !== undefined && !channel.isPrivate;
}
