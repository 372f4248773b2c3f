/**
 * Whom a move is for, as rules: those who had the messages and still may read them, those who come to have them, and those for whom they
 * are gone.
 */
import { contentAccess } from '../../access/channels.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import type { Audience } from '../../log/event.ts';

export interface MoveAudiences {
  /** Who is told where the messages are. */
  readonly moved: Audience;
  /** Of those: subscribers of the channel that they leave who are not where they go to, so that they are not unread there. */
  readonly left: Audience;
  /** For whom they are gone; undefined: nobody. */
  readonly lost: Audience | undefined;
}

export interface Holders {
  /** Subscribers of the channel that the messages leave who have seen none of them. */
  readonly hidden: readonly number[];
  /** Who is not subscribed there, and had one marked or was mentioned: those who may read them where they go to, and those who may not. */
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
  const losers = without(had, readers);
  const kept = without(had, losers);
  const there = { to: 'subscribers', channelId: to.id } as const;
  // Who does not know where the messages come from is not told; the notice in the new thread shows them.
  const arriving = without(there, without(there, { to: 'channel-viewers', channelId: from.id }));
  const someLose = losing.length > 0 || losesAny(directory, from, to);
  return {
    moved: anyOf(kept, arriving, ...(keeping.length > 0 ? [users(keeping)] : [])),
    left: without(kept, { ...there, only: true }),
    lost: someLose ? anyOf(losers, ...(losing.length > 0 ? [users(losing)] : [])) : undefined,
  };
}

/** Of the subscribers of `from`, those who may read what comes to `to`. */
function readersOfDestination(directory: Directory, from: ChannelRecord, to: ChannelRecord): Audience {
  // Whoever knows a public channel may read it.
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

/** Whether who had messages may still read them when they have come to the channel. */
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
