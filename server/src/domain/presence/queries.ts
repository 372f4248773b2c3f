import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import { PresenceAnswers } from './answers.ts';
import { Presences } from './presences.ts';
import { DAY_SECONDS, OFFLINE_THRESHOLD_SECONDS } from './timing.ts';
/** The context that presence needs. */
export type PresenceContext = Pick<AppContext, 'pool' | 'log' | 'config' | 'organizations'>;

const byOrganization = oncePerApp((_: PresenceContext) => new WeakMap<Organization, Presences>());

const answersOf = new WeakMap<Presences, PresenceAnswers>();

/** The responses of the organization, after its presence is loaded. */
export async function presenceAnswers(app: PresenceContext, organization: Organization): Promise<PresenceAnswers> {
  const presences = presencesOf(app, organization);
  await presences.ready();
  let answers = answersOf.get(presences);
  if (answers === undefined) {
    answers = new PresenceAnswers(presences, organization.directory);
    answersOf.set(presences, answers);
  }
  return answers;
}

/** The presence of an organization's users, as this process knows it. */
export function presencesOf(app: PresenceContext, organization: Organization): Presences {
  const known = byOrganization(app);
  let presences = known.get(organization);
  if (presences === undefined) {
    const { pool, log, config } = app;
    presences = new Presences({ pool, organization, log, shared: config.bus !== 'local' });
    known.set(organization, presences);
  }
  return presences;
}

export type PresenceStatus = 'active' | 'idle' | 'offline';

/**
 * Returns a function for the status of a user. `active`: was active recently. `idle`: has a client that reports. `offline`: neither. A user
 * who hides is offline. The function reads the presence at each call, for callers who cannot wait once they know the users.
 */
export async function presenceStatusOf(
  app: PresenceContext,
  organization: Organization,
): Promise<(userId: number) => PresenceStatus> {
  const presences = presencesOf(app, organization);
  await presences.ready();
  return (userId) => {
    const since = Date.now() / 1000 - OFFLINE_THRESHOLD_SECONDS;
    const { activeAt = null, connectedAt = 0 } = presences.of(userId) ?? {};
    if (activeAt !== null && activeAt >= since) return 'active';
    return connectedAt >= since ? 'idle' : 'offline';
  };
}

/**
 * Days without activity after which a user can be left out of the subscriber list of a large channel (interface
 * document, "Limits").
 */
const ACTIVE_DAYS = 14;

/** Whether a user was active or joined in the last two weeks. This includes users who hide. Call `ready` first. */
export function wasActiveLately(presences: Presences, { id, joinedAt }: Pick<UserRecord, 'id' | 'joinedAt'>): boolean {
  const since = Date.now() / 1000 - ACTIVE_DAYS * DAY_SECONDS;
  return joinedAt >= since || (presences.seenAt(id) ?? 0) >= since || (presences.of(id)?.connectedAt ?? 0) >= since;
}
