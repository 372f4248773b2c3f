/** Reads the log for notifications that phones must show or no longer show. Sends do nothing for that. */
import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import { type PresenceStatus, presenceStatusOf } from '../../domain/presence/queries.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { Consumed, LogConsumer } from '../../jobs/consumers.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { deviceOwners, settingsOf, topicPreferencesOf, usersAtClients } from './candidates.ts';
import { type Cause, causeOf } from './causes.ts';
import { type Concerned, concernsIn, placesIn } from './concerned.ts';
import { noteGone } from './withdrawing.ts';

/** The name of this consumer of the log. */
export const MOBILE_PUSH = 'mobile-push';
/** Device owners times new messages in a transaction. Each message can concern each owner, and all pairs are in memory. */
const MAX_PAIRS_PER_TRANSACTION = 20_000;
/** Users whose settings are examined together; requests run between the batches. */
const USERS_AT_ONCE = 1000;
/** Waiting notifications per organization. The oldest are dropped, because they are of no use any more. */
const MAX_WAITING_PER_ORGANIZATION = 20_000;

const TYPES = ['message', 'update_message', 'update_message_flags', 'delete_message'];

type ReadingContext = Parameters<typeof presenceStatusOf>[0] & Pick<AppContext, 'log'>;

/** What is known about the organization without a query. */
interface Known {
  readonly directory: Directory;
  readonly statusOf: (userId: number) => PresenceStatus;
}

/**
 * Reads only the logs of organizations that ever had a device.
 * @param found is called after something was found that must be sent
 */
export function pushConsumer(app: ReadingContext, found: () => void): LogConsumer {
  return {
    name: MOBILE_PUSH,
    async reader(organization) {
      const { directory } = organization;
      const known = { directory, statusOf: await presenceStatusOf(app, organization) };
      return { types: TYPES, read: (db, page) => readPage(app, db, known, page, found) };
    },
  };
}

async function readPage(
  { log }: ReadingContext,
  db: DbTransaction,
  known: Known,
  page: readonly LoggedEvent[],
  found: () => void,
): Promise<Consumed> {
  const { directory } = known;
  const organizationId = directory.organization.id;
  const owners = page.some(isNew) ? await deviceOwners(db, organizationId) : NOBODY;
  const events = upTo(MAX_PAIRS_PER_TRANSACTION, page, owners.size);
  const isAdded = await noteNew(db, known, events, owners);
  const isGone = await noteGone(db, directory, events);
  const dropped = isAdded ? await dropExcess(db, organizationId) : 0;
  if (dropped > 0)
    log.warn({ organization: organizationId, dropped }, 'push notifications were dropped: too many wait');
  return { handled: events.length, ...((isAdded || isGone) && { afterCommit: found }) };
}

const NOBODY: ReadonlySet<number> = new Set();

function isNew({ type }: Pick<LoggedEvent, 'type'>): boolean {
  return type === 'message' || type === 'update_message';
}

/** The longest beginning of the events whose messages concern at most `most` users, added up per message. At least one event. */
export function upTo<Event extends Pick<LoggedEvent, 'type'>>(
  most: number,
  events: readonly Event[],
  owners: number,
): readonly Event[] {
  let concerned = 0;
  for (const [index, event] of events.entries()) {
    if (!isNew(event)) continue;
    concerned += owners;
    if (concerned > most && index > 0) return events.slice(0, index);
  }
  return events;
}

/** Inserts the notifications of the events' new messages. Returns whether there are any. */
async function noteNew(
  db: DbTransaction,
  { directory, statusOf }: Known,
  events: readonly LoggedEvent[],
  owners: ReadonlySet<number>,
): Promise<boolean> {
  const organizationId = directory.organization.id;
  if (owners.size === 0) return false;
  const preferencesByTopic = await topicPreferencesOf(db, organizationId, placesIn(events), owners);
  const concerned = Map.groupBy(
    events.flatMap((event) => concernsIn(event, directory, owners, preferencesByTopic)),
    ({ userId }) => userId,
  );
  const userIds = [...concerned.keys()];
  const notices: (Concerned & { readonly cause: Cause; readonly isNotifiedOnline: boolean })[] = [];
  for (let begin = 0; begin < userIds.length; begin += USERS_AT_ONCE) {
    const settings = await settingsOf(db, organizationId, userIds.slice(begin, begin + USERS_AT_ONCE));
    for (const [userId, own] of settings) {
      const isNotifiedOnline = own.enable_online_push_notifications;
      for (const one of concerned.get(userId) ?? []) {
        const cause = causeOf(one, own);
        if (cause !== undefined) notices.push({ ...one, cause, isNotifiedOnline });
      }
    }
  }
  const reachable = notices.filter(
    ({ userId, isNotifiedOnline }) => !isNotifiedOnline && statusOf(userId) === 'active',
  );
  const perhapsThere = new Set(reachable.map(({ userId }) => userId));
  const there = await usersAtClients(db, organizationId, [...perhapsThere]);
  const absent = notices.filter((one) => one.isNotifiedOnline || !there.has(one.userId));
  if (absent.length > 0) await insert(db, organizationId, absent);
  return absent.length > 0;
}

/** A user is notified of a message only once. */
async function insert(
  db: DbTransaction,
  organizationId: number,
  notices: readonly (Concerned & { readonly cause: string })[],
): Promise<void> {
  await sql`
    INSERT INTO push_notifications (organization_id, user_id, message_id, cause, group_id, state, due_at)
    SELECT ${organizationId}::integer, user_id, message_id, cause, group_id, 'due', now()
      FROM unnest(${notices.map(({ userId }) => userId)}::integer[], ${notices.map(({ messageId }) => messageId)}::bigint[],
                  ${notices.map(({ cause }) => cause)}::text[], ${notices.map(({ groupId }) => groupId)}::integer[])
             AS notices (user_id, message_id, cause, group_id)
    ON CONFLICT DO NOTHING`.execute(db);
}

/** The number of dropped rows. An unavailable service must not make the table grow. Index: push_notifications_due. */
async function dropExcess(db: DbTransaction, organizationId: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM push_notifications
     WHERE (organization_id, user_id, message_id) IN (
             SELECT organization_id, user_id, message_id FROM push_notifications
              WHERE organization_id = ${organizationId} AND state = 'due' AND due_at IS NOT NULL
              ORDER BY message_id DESC OFFSET ${MAX_WAITING_PER_ORGANIZATION})`.execute(db);
  return Number(numAffectedRows);
}
