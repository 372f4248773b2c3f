/** Who missed the new messages in a page of events. Each medium of notifications reads the log on its own. */
import type { DbTransaction } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { LoggedEvent } from '../../../log/event.ts';
import type { PresenceStatus } from '../../presence/queries.ts';
import type { Settings } from '../../users/user-settings/first-settings.ts';
import { silences } from '../quiet-hours/queries.ts';
import { ownPreferencesOf, topicPreferencesOf, usersAtClients } from './candidates.ts';
import { type Cause, causeOf, type Medium, type TopicPreferences } from './causes.ts';
import { type Concerned, concernsIn, isOutside, placesIn } from './concerned.ts';

/** Users whose settings are examined together; requests run between the batches. */
const USERS_PER_BATCH = 1000;
/** Pairs of a message and a user whom it can concern, which are all in memory. A single message can have more. */
const MAX_PAIRS_PER_TRANSACTION = 20_000;
/** Most topics concern few users, so each statement about topics asks for so many times as many as the last one. */
const STATEMENT_GROWTH_FACTOR = 4;

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
  /** Messages that never notify. Default: none. */
  isLeftOut?(event: LoggedEvent): boolean;
  /** Whether the user is notified although an active client shows the message. */
  isNotifiedOnline(settings: Settings): boolean;
}

/** A message that a user missed. */
export interface Missed extends Concerned {
  readonly cause: Cause;
  readonly settings: Settings;
}

interface FoundMissed {
  readonly missed: readonly Missed[];
  /** The events that were examined: a beginning of the given ones, with at least one event. */
  readonly events: readonly LoggedEvent[];
}

/**
 * The missed messages of the first events, without those that quiet hours silence. Mails wait for the end of quiet hours instead
 * (`features/missed-mails/queueing.ts`). The number of statements grows with the logarithm of the number of topics.
 */
export async function missedIn(
  db: DbTransaction,
  { directory, statusOf }: Known,
  page: readonly LoggedEvent[],
  notifying: Notifying,
): Promise<FoundMissed> {
  const { medium, candidates, isNotifiedOnline } = notifying;
  const organizationId = directory.organization.id;
  if (candidates.size === 0 || !page.some(isNew)) return { missed: [], events: page };
  const { events, found } = await concernedIn(db, directory, page, notifying);
  const concerned = Map.groupBy(found, ({ userId }) => userId);
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
  return { missed: missed.filter((one) => isNotifiedOnline(one.settings) || !there.has(one.userId)), events };
}

interface FoundConcerned {
  readonly events: readonly LoggedEvent[];
  readonly found: readonly Concerned[];
}

/** Whom the first events concern: as many as fit into a transaction. */
async function concernedIn(
  db: DbTransaction,
  directory: Directory,
  page: readonly LoggedEvent[],
  { medium, candidates, maxAgeSeconds, isLeftOut = () => false }: Notifying,
): Promise<FoundConcerned> {
  const places = placesIn(page);
  const preferencesByTopic = new Map<string, ReadonlyMap<number, TopicPreferences>>();
  let size = Math.max(1, Math.floor(MAX_PAIRS_PER_TRANSACTION / candidates.size));
  for (let begin = 0; ; size *= STATEMENT_GROWTH_FACTOR) {
    const some = places.slice(begin, begin + size);
    begin += some.length;
    const more = await topicPreferencesOf(db, directory.organization.id, some, candidates, medium);
    for (const [key, preferences] of more) preferencesByTopic.set(key, preferences);
    const result = upTo(MAX_PAIRS_PER_TRANSACTION, page, (event) => {
      if (isOutside(event, preferencesByTopic)) return undefined;
      return isLeftOut(event) ? [] : concernsIn(event, directory, candidates, preferencesByTopic, maxAgeSeconds);
    });
    const next = page[result.events.length];
    if (next === undefined || !isOutside(next, preferencesByTopic)) return result;
  }
}

/** Whether the event can cause notifications. */
export function isNew({ type }: Pick<LoggedEvent, 'type'>): boolean {
  return type === 'message' || type === 'update_message';
}

/**
 * The longest beginning of the events in which nothing is outside and at most `most` are found. At least one event, so the first one must not
 * be outside.
 * @param find what an event has; undefined: the event is outside
 */
export function upTo<Event, Found>(
  most: number,
  events: readonly Event[],
  find: (event: Event) => readonly Found[] | undefined,
): { readonly events: readonly Event[]; readonly found: readonly Found[] } {
  const found: Found[] = [];
  for (const [index, event] of events.entries()) {
    const own = find(event);
    if (own === undefined || (index > 0 && found.length + own.length > most))
      return { events: events.slice(0, index), found };
    for (const one of own) found.push(one);
  }
  return { events, found };
}
