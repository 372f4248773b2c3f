import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { oncePerRooms, type Rooms } from '../rooms.ts';
import { PresenceAnswers } from './answers.ts';
import { Presences } from './presences.ts';
import { DAY, OFFLINE_THRESHOLD } from './timing.ts';

export { OFFLINE_THRESHOLD, PING_INTERVAL } from './timing.ts';

/** What presence stands on; of the organizations those that are asked for as a request has them. */
export type PresenceRooms = Pick<Rooms, 'pool' | 'log' | 'config' | 'organizations'>;

const byOrganization = oncePerRooms((_: PresenceRooms) => new WeakMap<Organization, Presences>());

const answersOf = new WeakMap<Presences, PresenceAnswers>();

/** What clients are told of everybody, once it is known. */
export async function presenceAnswers(rooms: PresenceRooms, organization: Organization): Promise<PresenceAnswers> {
  const presences = presencesOf(rooms, organization);
  await presences.ready();
  let answers = answersOf.get(presences);
  if (answers === undefined) {
    answers = new PresenceAnswers(presences, organization.directory);
    answersOf.set(presences, answers);
  }
  return answers;
}

/** Who is there in an organization, as this process knows it. */
export function presencesOf(rooms: PresenceRooms, organization: Organization): Presences {
  const known = byOrganization(rooms);
  let presences = known.get(organization);
  if (presences === undefined) {
    const { pool, log, config } = rooms;
    presences = new Presences({ pool, organization, log, shared: config.bus === 'postgres' });
    known.set(organization, presences);
  }
  return presences;
}

export type PresenceStatus = 'active' | 'idle' | 'offline';

/**
 * Whether the users are there, in their order: `active` did something of late, `idle` has a client that reports, `offline` neither. Who
 * hides is offline, as everybody is told.
 */
export async function presenceStatuses(
  rooms: PresenceRooms,
  organization: Organization,
  userIds: readonly number[],
): Promise<readonly PresenceStatus[]> {
  const statusOf = await presenceStatusOf(rooms, organization);
  return userIds.map(statusOf);
}

/** The same for whoever must not wait when the users are known: it says how they are from here on. */
export async function presenceStatusOf(
  rooms: PresenceRooms,
  organization: Organization,
): Promise<(userId: number) => PresenceStatus> {
  const presences = presencesOf(rooms, organization);
  await presences.ready();
  return (userId) => {
    const since = Date.now() / 1000 - OFFLINE_THRESHOLD;
    const { activeAt = null, connectedAt = 0 } = presences.of(userId) ?? {};
    if (activeAt !== null && activeAt >= since) return 'active';
    return connectedAt >= since ? 'idle' : 'offline';
  };
}

/** Who did nothing for so long need not be listed among a large channel's subscribers (interface document, "Limits"). */
const ACTIVE_DAYS = 14;

/** Whether a user did something in the last two weeks, however they hide, or joined since. Ready presences only. */
export function wasActiveLately(presences: Presences, { id, joinedAt }: Pick<UserRecord, 'id' | 'joinedAt'>): boolean {
  const since = Date.now() / 1000 - ACTIVE_DAYS * DAY;
  return joinedAt >= since || (presences.seenAt(id) ?? 0) >= since || (presences.of(id)?.connectedAt ?? 0) >= since;
}
