/**
 * The audiences of a move, as rules: users who had the messages and can still read them, users who get them, and users
 * who lose them.
 */
import { contentAccess } from '../../../access/channels.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { ChannelRecord } from '../../../directory/records.ts';
import type { Audience } from '../../../log/event.ts';

export interface MoveAudiences {
  /** Users who get the event that the messages moved. */
  readonly moved: Audience;
  /** Those of them who are subscribed to the old channel and not to the new one. For them, the messages become read. */
  readonly left: Audience;
  /** Users who can no longer read the messages; undefined if there are none. */
  readonly lost: Audience | undefined;
}

export interface Holders {
  /** Subscribers of the old channel who can read none of the messages. */
  readonly hidden: readonly number[];
  /**
   * Users with a flag row who are not subscribed to the old channel. `keeping`: they can read the messages in the new
   * channel; `losing`: they cannot.
   */
  readonly keeping: readonly number[];
  readonly losing: readonly number[];
}

export function audiencesOf(
  directory: Directory,
  { from, to }: { readonly from: ChannelRecord; readonly to: ChannelRecord },
  { hidden, keeping, losing }: Holders,
): MoveAudiences {
  const fromThere: Audience = { to: 'subscribers', channelId: from.id };
  const had = hidden.length === 0 ? fromThere : without(fromThere, users(hidden));
  const readers = readersOfDestination(directory, from, to);
  const losingAudience = without(had, readers);
  const kept = without(had, losingAudience);
  const there = { to: 'subscribers', channelId: to.id } as const;
  // Users without metadata access to the old channel do not get the event, which names it. The notice in the new thread
  // shows the move.
  const arriving = without(there, without(there, { to: 'channel-viewers', channelId: from.id }));
  const someLose = losing.length > 0 || losesAny(directory, from, to);
  return {
    moved: anyOf(kept, arriving, ...(keeping.length > 0 ? [users(keeping)] : [])),
    left: without(kept, { ...there, only: true }),
    lost: someLose ? anyOf(losingAudience, ...(losing.length > 0 ? [users(losing)] : [])) : undefined,
  };
}

/** The subscribers of `from` who can read messages that arrive in `to`. */
function readersOfDestination(directory: Directory, from: ChannelRecord, to: ChannelRecord): Audience {
  // Everyone with metadata access to a public channel can read it.
  if (!to.isPrivate || to.isWebPublic) return { to: 'channel-viewers', channelId: to.id };
  const there: Audience = { to: 'subscribers', channelId: to.id };
  const others = [...directory.subscriptions.of(from.id).keys()].filter(
    (userId) => !directory.subscriptions.has(to.id, userId) && maySee(directory, userId, to),
  );
  return others.length === 0 ? there : anyOf(there, users(others.sort((a, b) => a - b)));
}

function losesAny(directory: Directory, from: ChannelRecord, to: ChannelRecord): boolean {
  return directory.subscriptions
    .of(from.id)
    .keys()
    .some((userId) => !mayReadArrivals(directory, userId, to));
}

/** Whether a user who had messages can still read them in the new channel. */
export function mayReadArrivals(directory: Directory, userId: number, to: ChannelRecord): boolean {
  return directory.subscriptions.has(to.id, userId) || maySee(directory, userId, to);
}

function maySee(directory: Directory, userId: number, channel: ChannelRecord): boolean {
  const user = directory.user(userId);
  return user !== undefined && contentAccess(directory, user, channel) !== 'none';
}

function users(ids: readonly number[]): Audience {
  return { to: 'users', users: ids };
}

function anyOf(...of: readonly Audience[]): Audience {
  const [first] = of;
  return of.length === 1 && first !== undefined ? first : { to: 'any', of };
}

function without(audience: Audience, except: Audience): Audience {
  return { to: 'any', of: [audience], except };
}
