/** Reads the log for notifications that phones must show or no longer show. Sends do nothing for that. */
import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import type { Concerned } from '../../domain/notifications/notifications/concerned.ts';
import { isNew, type Known, missedIn, upTo } from '../../domain/notifications/notifications/missed.ts';
import { presenceStatusOf } from '../../domain/presence/queries.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { Consumed, LogConsumer } from '../../jobs/consumers.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { deviceOwners } from './device-owners.ts';
import { noteGone } from './withdrawing.ts';

/** The name of this consumer of the log. */
export const MOBILE_PUSH = 'mobile-push';
/** Device owners times new messages in a transaction. Each message can concern each owner, and all pairs are in memory. */
const MAX_PAIRS_PER_TRANSACTION = 20_000;
/** The age in seconds after which a message causes no notification. A server that was down starts with what is new. */
const MAX_AGE_SECONDS = 3600;
/** Waiting notifications per organization. The oldest are dropped, because they are of no use any more. */
const MAX_WAITING_NOTIFICATIONS_PER_ORGANIZATION = 20_000;

const TYPES = ['message', 'update_message', 'update_message_flags', 'delete_message'];

type ReadingContext = Parameters<typeof presenceStatusOf>[0] & Pick<AppContext, 'log'>;

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

/** Inserts the notifications of the events' new messages. Returns whether there are any. */
async function noteNew(
  db: DbTransaction,
  known: Known,
  events: readonly LoggedEvent[],
  owners: ReadonlySet<number>,
): Promise<boolean> {
  const missed = await missedIn(db, known, events, {
    medium: 'push',
    candidates: owners,
    maxAgeSeconds: MAX_AGE_SECONDS,
    isNotifiedOnline: (settings) => settings.enable_online_push_notifications,
  });
  if (missed.length > 0) await insert(db, known.directory.organization.id, missed);
  return missed.length > 0;
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
     WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM push_notifications
              WHERE organization_id = ${organizationId} AND state = 'due' AND due_at IS NOT NULL
              ORDER BY message_id DESC OFFSET ${MAX_WAITING_NOTIFICATIONS_PER_ORGANIZATION}))`.execute(db);
  return Number(numAffectedRows);
}
