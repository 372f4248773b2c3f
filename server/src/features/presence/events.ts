import type { presenceEvent } from '@heddle/api/events/presence.ts';
import type { Static } from 'typebox';
import type { Presenter } from '../../directory/presenters.ts';
import type { Presence } from './presences.ts';
import { presentClient, presentModern } from './present.ts';

/** What `presence` events carry in the log: users who are back, or who hide. */
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

/** Older clients are told of one user at a time: several came at once where these are not told. */
export const presencePresenter: Presenter = {
  variant: ({ capabilities }) => (capabilities.simplifiedPresenceEvents ? 'simplified' : ''),

  present(event, { capabilities }): Wire | null {
    const { at, users } = event.body as PresenceBody;
    if (capabilities.simplifiedPresenceEvents) {
      const presences = users.map((user) => [String(user.userId), presentModern(user, user)] as const);
      return { type: 'presence', presences: Object.fromEntries(presences) };
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
};
