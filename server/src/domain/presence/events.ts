import type { presenceEvent } from '@heddle/api/events/presence.ts';
import type { Static } from 'typebox';
import { canAccessId, hasInaccessibleUsers } from '../../access/people.ts';
import type { Presenter } from '../../directory/presenters.ts';
import { presentClient, presentModern } from './present.ts';
import type { Presence } from './timing.ts';

/** The bodies of `presence` events in the log: users who come back or hide. */
export interface PresenceBody {
  /** Seconds since the epoch, with fractions. */
  readonly at: number;
  readonly users: readonly (Presence & {
    readonly userId: number;
    readonly email: string;
    readonly joinedAt: number;
  })[];
}

type Wire =
  Static<typeof presenceEvent> extends infer Event ? (Event extends unknown ? Omit<Event, 'id'> : never) : never;

/**
 * The format for older clients has one user, so they get no event that has several. Guests who cannot access all users
 * get an event of their own.
 */
export const presencePresenter: Presenter = {
  variant: ({ capabilities }, viewer, directory) =>
    `${capabilities.simplifiedPresenceEvents ? 'simplified' : ''}${hasInaccessibleUsers(directory, viewer) ? ' of some' : ''}`,

  present(event, { capabilities }, viewer, directory): Wire | Pick<Wire, 'type'> | null {
    const { at, users } = event.body as PresenceBody;
    if (capabilities.simplifiedPresenceEvents) {
      return hasInaccessibleUsers(directory, viewer)
        ? { type: 'presence' }
        : { type: 'presence', presences: presencesOf(users) };
    }
    const [user, another] = users;
    if (user === undefined || another !== undefined) return null;
    return {
      type: 'presence',
      user_id: user.userId,
      email: user.email,
      server_timestamp: at,
      presence: { website: presentClient(user, user) },
    };
  },

  personal({ id, body }, { settings }, viewer, directory) {
    if (!settings.capabilities.simplifiedPresenceEvents || !hasInaccessibleUsers(directory, viewer)) return '';
    const known = (body as PresenceBody).users.filter(({ userId }) => canAccessId(directory, viewer, userId, id));
    return `"presences":${JSON.stringify(presencesOf(known))}`;
  },

  wants({ id, body }, _, viewer, directory) {
    if (!hasInaccessibleUsers(directory, viewer)) return true;
    return (body as PresenceBody).users.some(({ userId }) => canAccessId(directory, viewer, userId, id));
  },
};

function presencesOf(users: PresenceBody['users']) {
  return Object.fromEntries(users.map((user) => [String(user.userId), presentModern(user, user)] as const));
}
