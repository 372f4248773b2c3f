/**
 * Reads the log for notifications that phones must show or no longer show. Sends do nothing for that. The position of the reader is a row
 * per organization, and it moves in the transaction that writes the results. So a killed process loses nothing, and two processes never
 * find the same event.
 */
import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Directory } from '../../directory/directory.ts';
import { type PresenceStatus, presenceStatusOf } from '../../domain/presence/queries.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { readEventsOfTypes } from '../../log/read.ts';
import { deviceOwners, settingsOf, standingsAt, usersAtClients } from './candidates.ts';
import { type Cause, causeOf } from './causes.ts';
import { type Concerned, concernsIn, placesIn } from './concerned.ts';
import { noteGone } from './withdrawing.ts';

/** Events of one organization per transaction. */
const PAGE = 200;
/** Device owners times new messages in a transaction. Each message can concern each owner, and all pairs are in memory. */
const MOST_CONCERNED = 20_000;
/** Users whose settings are examined together; requests run between the batches. */
const USERS_AT_ONCE = 1000;
/** Organizations per look. */
const AT_ONCE = 20;
/** Waiting notifications per organization. The oldest are dropped, because they are of no use any more. */
const MOST_WAITING = 20_000;

const TYPES = ['message', 'update_message', 'update_message_flags', 'delete_message'];

type ReadingContext = Pick<AppContext, 'db' | 'pool' | 'organizations' | 'log' | 'config'>;

export interface Found {
  /** Whether there is more to read. */
  readonly hasMore: boolean;
  /** Whether anything is to be sent. */
  readonly hasFound: boolean;
}

/** Reads on in organizations whose logs have grown: only those that ever had a device. */
export async function readLogs(app: ReadingContext): Promise<Found> {
  const { rows } = await sql<{ id: number }>`
    SELECT cursor.organization_id AS id
      FROM push_cursors cursor JOIN logs ON logs.organization_id = cursor.organization_id
     WHERE logs.head > cursor.read_through
     ORDER BY random() LIMIT ${AT_ONCE}`.execute(app.db);
  const found: Found[] = [];
  for (const { id } of rows) found.push(await readLog(app, id));
  return {
    hasMore: rows.length === AT_ONCE || found.some(({ hasMore }) => hasMore),
    hasFound: found.some(({ hasFound }) => hasFound),
  };
}

async function readLog(app: ReadingContext, organizationId: number): Promise<Found> {
  const { pool, organizations, log } = app;
  const organization = await organizations.byId(organizationId);
  if (organization === undefined) return { hasMore: false, hasFound: false };
  // After this the directory knows everything that the events name. Later changes do no harm.
  await organization.catchUp();
  const statusOf = await presenceStatusOf(app, organization);
  return inTransaction(pool, async ({ db }) => {
    const found = await readPage(db, { directory: organization.directory, statusOf });
    if (found.dropped > 0)
      log.warn(
        { organization: organizationId, dropped: found.dropped },
        'push notifications were dropped: too many wait',
      );
    if (found.missed)
      log.warn({ organization: organizationId }, 'push notifications were dropped: the log has been trimmed');
    return { result: () => found };
  });
}

/** What is known about the organization without a query. */
interface Known {
  readonly directory: Directory;
  readonly statusOf: (userId: number) => PresenceStatus;
}

async function readPage(db: DbTransaction, known: Known) {
  const { directory } = known;
  const organizationId = directory.organization.id;
  const nothing = { hasMore: false, hasFound: false, missed: false, dropped: 0 };
  const { rows } = await sql<{ read_through: number; head: number; trimmed_through: number }>`
    SELECT cursor.read_through, logs.head, logs.trimmed_through
      FROM push_cursors cursor JOIN logs ON logs.organization_id = cursor.organization_id
     WHERE cursor.organization_id = ${organizationId}
       FOR UPDATE OF cursor SKIP LOCKED`.execute(db);
  const [cursor] = rows;
  if (cursor === undefined || cursor.head <= cursor.read_through) return nothing;
  const range = { after: cursor.read_through, through: cursor.head, limit: PAGE };
  const page = await readEventsOfTypes(db, organizationId, TYPES, range);
  const owners = page.some(isNew) ? await deviceOwners(db, organizationId) : NOBODY;
  const events = upTo(MOST_CONCERNED, page, owners.size);
  const hasMore = page.length === PAGE || events.length < page.length;
  const through = hasMore ? (events.at(-1)?.id ?? cursor.head) : cursor.head;
  const isAdded = await noteNew(db, known, events, owners);
  const isGone = await noteGone(db, directory, events);
  const dropped = isAdded ? await dropExcess(db, organizationId) : 0;
  await sql`UPDATE push_cursors SET read_through = ${through} WHERE organization_id = ${organizationId}`.execute(db);
  return { hasMore, hasFound: isAdded || isGone, missed: cursor.trimmed_through > cursor.read_through, dropped };
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
  const standings = await standingsAt(db, organizationId, placesIn(events), owners);
  const concerned = Map.groupBy(
    events.flatMap((event) => concernsIn(event, directory, owners, standings)),
    ({ userId }) => userId,
  );
  const userIds = [...concerned.keys()];
  const told: (Concerned & { readonly cause: Cause; readonly isToldOnline: boolean })[] = [];
  for (let begin = 0; begin < userIds.length; begin += USERS_AT_ONCE) {
    const settings = await settingsOf(db, organizationId, userIds.slice(begin, begin + USERS_AT_ONCE));
    for (const [userId, own] of settings) {
      const isToldOnline = own.enable_online_push_notifications;
      for (const one of concerned.get(userId) ?? []) {
        const cause = causeOf(one, own);
        if (cause !== undefined) told.push({ ...one, cause, isToldOnline });
      }
    }
  }
  const reachable = told.filter(({ userId, isToldOnline }) => !isToldOnline && statusOf(userId) === 'active');
  const perhapsThere = new Set(reachable.map(({ userId }) => userId));
  const there = await usersAtClients(db, organizationId, [...perhapsThere]);
  const absent = told.filter((one) => one.isToldOnline || !there.has(one.userId));
  if (absent.length > 0) await insert(db, organizationId, absent);
  return absent.length > 0;
}

/** A user is notified of a message only once. */
async function insert(
  db: DbTransaction,
  organizationId: number,
  told: readonly (Concerned & { readonly cause: string })[],
): Promise<void> {
  await sql`
    INSERT INTO push_notifications (organization_id, user_id, message_id, cause, group_id, state, due_at)
    SELECT ${organizationId}::integer, user_id, message_id, cause, group_id, 'due', now()
      FROM unnest(${told.map(({ userId }) => userId)}::integer[], ${told.map(({ messageId }) => messageId)}::bigint[],
                  ${told.map(({ cause }) => cause)}::text[], ${told.map(({ groupId }) => groupId)}::integer[])
             AS told (user_id, message_id, cause, group_id)
    ON CONFLICT DO NOTHING`.execute(db);
}

/** The number of dropped rows. An unavailable service must not make the table grow. Index: push_notifications_due. */
async function dropExcess(db: DbTransaction, organizationId: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM push_notifications
     WHERE (organization_id, user_id, message_id) IN (
             SELECT organization_id, user_id, message_id FROM push_notifications
              WHERE organization_id = ${organizationId} AND state = 'due' AND due_at IS NOT NULL
              ORDER BY message_id DESC OFFSET ${MOST_WAITING})`.execute(db);
  return Number(numAffectedRows);
}
