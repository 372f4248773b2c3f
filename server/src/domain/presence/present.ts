import type { clientPresence, modernPresence, presenceOfUser } from '@heddle/api/objects/presence.ts';
import type { Static } from 'typebox';
import type { UserRecord } from '../../directory/records.ts';
import { ACTIVE_THRESHOLD_SECONDS, OFFLINE_THRESHOLD_SECONDS, type Presence } from './timing.ts';

/**
 * A time is always present. A user without any activity has the time of joining (public reference, "Update your
 * presence").
 */
type Joined = Pick<UserRecord, 'joinedAt'>;

export function presentModern(
  { joinedAt }: Joined,
  { activeAt, connectedAt }: Presence,
): Static<typeof modernPresence> {
  return { active_timestamp: activeAt ?? joinedAt, idle_timestamp: connectedAt };
}

/** The presence as a single client, which is what older clients expect. */
export function presentClient(
  { joinedAt }: Joined,
  { activeAt, connectedAt }: Presence,
): Static<typeof clientPresence> {
  const active = activeAt ?? joinedAt;
  const isActive = active + ACTIVE_THRESHOLD_SECONDS >= connectedAt;
  return {
    client: 'website',
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? active : connectedAt,
    pushable: false,
  };
}

export function presentLegacy(user: Joined, presence: Presence) {
  const website = presentClient(user, presence);
  const { client, status, timestamp } = website;
  return { aggregated: { client, status, timestamp }, website };
}

/**
 * The presence of one user, by client.
 * @param now seconds since the epoch
 */
export function presentOne(user: Joined, presence: Presence, now: number): Static<typeof presenceOfUser> {
  const { status, timestamp } = presentClient(user, presence);
  const isOffline = now - timestamp > OFFLINE_THRESHOLD_SECONDS;
  return { aggregated: { status: isOffline ? 'offline' : status, timestamp }, website: { status, timestamp } };
}
