/** Who missed the new messages in a page of events. Each medium of notifications reads the log on its own. */
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { LoggedEvent } from '../../../log/event.ts';
import type { PresenceStatus } from '../../presence/queries.ts';
import type { Settings } from '../../users/user-settings/first-settings.ts';
import { silences } from '../quiet-hours/queries.ts';
import { ownPreferencesOf, topicPreferencesOf, usersAtClients } from './candidates.ts';
import { type Cause, causeOf, type Medium } from './causes.ts';
import { type Concerned, concernsIn, placesIn } from './concerned.ts';

/** Users whose settings are examined together; requests run between the batches. */
const USERS_PER_BATCH = 1000;

/** What is known about the organization without a query. */
export interface Known {
  readonly directory: Directory;
  readonly statusOf: (userId: number) => PresenceStatus;
}

/** How and whom a reader of the log notifies. */
export interface Notifying {
  readonly medium: Medium;
  /** The users who can be notified. */
  readonly candidates: ReadonlySet<number>;
  /** The age in seconds after which a message causes no notification. A server that was down starts with what is new. */
  readonly maxAgeSeconds: number;
  /** Whether the user is notified although an active client shows the message. */
  isNotifiedOnline(settings: Settings): boolean;
}

/** A message that a user missed. */
export interface Missed extends Concerned {
  readonly cause: Cause;
  readonly settings: Settings;
}

/**
 * The missed messages of the events, without those that quiet hours silence. Mails wait for the end of quiet hours instead
 * (`features/missed-mails/queueing.ts`). The number of statements does not depend on the number of events.
 */
export async function missedIn(
  db: DbTransaction,
  { directory, statusOf }: Known,
  events: readonly LoggedEvent[],
  { medium, candidates, maxAgeSeconds, isNotifiedOnline }: Notifying,
): Promise<readonly Missed[]> {
  const organizationId = directory.organization.id;
  if (candidates.size === 0 || !events.some(isNew)) return [];
  const preferencesByTopic = await topicPreferencesOf(db, organizationId, placesIn(events), candidates, medium);
  const concerned = Map.groupBy(
    events.flatMap((event) => concernsIn(event, directory, candidates, preferencesByTopic, maxAgeSeconds)),
    ({ userId }) => userId,
  );
  const userIds = [...concerned.keys()];
  const missed: Missed[] = [];
  for (let begin = 0; begin < userIds.length; begin += USERS_PER_BATCH) {
    const preferences = await ownPreferencesOf(db, organizationId, userIds.slice(begin, begin + USERS_PER_BATCH));
    for (const [userId, { settings, quiet }] of preferences) {
      for (const one of concerned.get(userId) ?? []) {
        if (medium !== 'email' && silences(quiet, one.isDirect)) continue;
        const cause = causeOf(one, settings, medium);
        if (cause !== undefined) missed.push({ ...one, cause, settings });
      }
    }
  }
  const isReachable = (one: Missed) => !isNotifiedOnline(one.settings) && statusOf(one.userId) === 'active';
  const perhapsThere = new Set(missed.filter(isReachable).map(({ userId }) => userId));
  const there = await usersAtClients(db, organizationId, [...perhapsThere]);
  return missed.filter((one) => isNotifiedOnline(one.settings) || !there.has(one.userId));
}

/** Whether the event can cause notifications. */
export function isNew({ type }: Pick<LoggedEvent, 'type'>): boolean {
  return type === 'message' || type === 'update_message';
}

/**
 * The longest beginning of the events whose messages concern at most `most` users, added up per message. At least one
 * event.
 * @param perMessage how many users a message may concern
 */
export function upTo<Event extends Pick<LoggedEvent, 'type'>>(
  most: number,
  events: readonly Event[],
  perMessage: number,
): readonly Event[] {
  let concerned = 0;
  for (const [index, event] of events.entries()) {
    if (!isNew(event)) continue;
    concerned += perMessage;
    if (concerned > most && index > 0) return events.slice(0, index);
  }
  return events;
}
