/** The batches of missed messages: which are due, and how many mails accounts may get. */
import { sql } from 'kysely';
import { isUnread } from '../../access/unread-messages.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import { settingsOf } from '../../domain/notifications/notifications/candidates.ts';
import type { DueNow } from '../../jobs/scheduler.ts';

/** A mail shows at most this many messages, and counts the others. */
export const MAX_MESSAGES_PER_BATCH = 50;
/** Waiting batches per organization. The oldest of those who have most are dropped. */
const MAX_BATCHES_PER_ORGANIZATION = 20_000;
/** Batches per transaction. */
const BATCHES_PER_TRANSACTION = 100;
/** Organizations per look. */
const MAX_ORGANIZATIONS_PER_LOOK = 1000;
/** Per account and hour. Further batches wait, and grow meanwhile. */
const MAX_MAILS_PER_USER = 60;
/** Per organization and hour. */
const MAX_MAILS_PER_ORGANIZATION = 5000;
/** In `mail_counts`, instead of an account. */
const ALL_USERS_ID = 0;

export interface Batch {
  readonly user_id: number;
  readonly conversation: string;
  readonly message_ids: readonly number[];
  readonly causes: readonly string[];
  readonly group_ids: readonly (number | null)[];
  readonly left_out: number;
}

/**
 * Returns the number of dropped rows. A full mail server must not make the table grow. Each user keeps an equal number: batches that quiet
 * hours hold for days displace no mail of others. Index: the primary key.
 */
export async function dropExcess(db: DbTransaction, organizationId: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM missed_batches
     WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
             SELECT batch.tuple
               FROM (SELECT ctid AS tuple, begun_at,
                            row_number() OVER (PARTITION BY user_id ORDER BY begun_at DESC, due_at DESC) AS place
                       FROM missed_batches WHERE organization_id = ${organizationId}) AS batch
              ORDER BY batch.place, batch.begun_at DESC OFFSET ${MAX_BATCHES_PER_ORGANIZATION}))`.execute(db);
  return Number(numAffectedRows);
}

/** Batches of a deactivated organization wait until it is active again. Index: missed_batches_due. */
export async function dueNow(db: Db): Promise<DueNow> {
  const { rows } = await sql<DueNow>`
    SELECT ARRAY(
             SELECT due.organization_id
               FROM missed_batches due
               JOIN organizations ON organizations.id = due.organization_id AND organizations.deactivated_at IS NULL
              WHERE due.due_at <= now()
              GROUP BY due.organization_id ORDER BY min(due.due_at) LIMIT ${MAX_ORGANIZATIONS_PER_LOOK}
           ) AS "organizationIds",
           (SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float8
              FROM missed_batches WHERE due_at > now()) AS next`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('a look answered nothing');
  return found;
}

/** Locks due batches, the oldest first. Batches that another process has locked are not among them. */
export async function lockDue(db: DbTransaction, organizationId: number): Promise<readonly Batch[]> {
  const { rows } = await sql<Batch>`
    SELECT user_id, conversation, to_jsonb(message_ids) AS message_ids, causes, group_ids, left_out FROM missed_batches
     WHERE organization_id = ${organizationId} AND due_at <= now()
     ORDER BY due_at LIMIT ${BATCHES_PER_TRANSACTION} FOR UPDATE SKIP LOCKED`.execute(db);
  return rows;
}

/** Index: the primary key. */
export async function remove(db: DbTransaction, organizationId: number, batches: readonly Batch[]): Promise<void> {
  await sql`
    DELETE FROM missed_batches batch USING ${named(batches)}
     WHERE batch.organization_id = ${organizationId} AND batch.user_id = one.user_id
       AND batch.conversation = one.conversation`.execute(db);
}

/** The batches are due when the hour of their account or organization has ended. Index: the primary keys. */
export async function postpone(db: DbTransaction, organizationId: number, batches: readonly Batch[]): Promise<void> {
  if (batches.length === 0) return;
  await sql`
    UPDATE missed_batches batch
       SET due_at = (SELECT max(begun_at) FROM mail_counts
                      WHERE organization_id = ${organizationId} AND user_id IN (${ALL_USERS_ID}, batch.user_id)
                     ) + interval '61 minutes'
      FROM ${named(batches)}
     WHERE batch.organization_id = ${organizationId} AND batch.user_id = one.user_id
       AND batch.conversation = one.conversation`.execute(db);
}

/** A batch whose user has quiet hours. */
export interface Held {
  readonly batch: Batch;
  /** When they end, in milliseconds since the epoch. */
  readonly until: number;
}

/** Our clock can be ahead of the database's: a held batch is not due again at once; in seconds. */
const MIN_HOLD_SECONDS = 5;

/** The batches are due at the end of the quiet hours. Index: the primary key. */
export async function hold(db: DbTransaction, organizationId: number, held: readonly Held[]): Promise<void> {
  if (held.length === 0) return;
  await sql`
    UPDATE missed_batches batch
       SET due_at = greatest(to_timestamp(one.until / 1000), now() + make_interval(secs => ${MIN_HOLD_SECONDS}))
      FROM unnest(${held.map(({ batch }) => batch.user_id)}::integer[],
                  ${held.map(({ batch }) => batch.conversation)}::text[],
                  ${held.map(({ until }) => until)}::float8[]) AS one (user_id, conversation, until)
     WHERE batch.organization_id = ${organizationId} AND batch.user_id = one.user_id
       AND batch.conversation = one.conversation`.execute(db);
}

/** The key of direct conversations begins with it (`reading.ts`). */
export function isDirect({ conversation }: Batch): boolean {
  return conversation.startsWith('direct ');
}

function named(batches: readonly Batch[]) {
  return sql`unnest(${batches.map((batch) => batch.user_id)}::integer[],
                    ${batches.map(({ conversation }) => conversation)}::text[]) AS one (user_id, conversation)`;
}

/** The waiting batches of a user become due by the new period (`email_notifications_batching_period_seconds`). */
export async function changePeriod(
  db: DbTransaction,
  organizationId: number,
  userId: number,
  seconds: number,
): Promise<void> {
  await sql`
    UPDATE missed_batches SET due_at = begun_at + make_interval(secs => ${seconds})
     WHERE organization_id = ${organizationId} AND user_id = ${userId}`.execute(db);
}

/**
 * Quiet hours can have ended: the waiting batches of a user become due as if there were none, and wait again if there still are. Indexes: the
 * primary keys.
 */
export async function release(db: DbTransaction, organizationId: number, userId: number): Promise<void> {
  const settings = (await settingsOf(db, organizationId, [userId])).get(userId);
  if (settings === undefined) return;
  await changePeriod(db, organizationId, userId, settings.email_notifications_batching_period_seconds);
}

/** Those of the batches with a message that is still unread. Indexes: the primary keys. */
export async function withUnread(
  db: DbTransaction,
  organizationId: number,
  batches: readonly Batch[],
): Promise<readonly Batch[]> {
  const pairs = batches.flatMap((batch, place) =>
    batch.message_ids.map((id) => ({ place, id, userId: batch.user_id })),
  );
  if (pairs.length === 0) return [];
  const { rows } = await sql<{ place: number }>`
    SELECT DISTINCT one.place
      FROM unnest(${pairs.map(({ place }) => place)}::integer[], ${pairs.map(({ userId }) => userId)}::integer[],
                  ${pairs.map(({ id }) => id)}::bigint[]) AS one (place, user_id, message_id)
      JOIN messages m ON m.organization_id = ${organizationId} AND m.id = one.message_id
     WHERE ${isUnread({ organizationId, userId: sql.ref('one.user_id') })}
     ORDER BY one.place`.execute(db);
  return rows.flatMap(({ place }) => batches[place] ?? []);
}

export interface Allowed {
  readonly now: readonly Batch[];
  readonly later: readonly Batch[];
}

/** Which batches may be mailed now. Counts them. Index: the primary key. */
export async function allowMails(
  db: DbTransaction,
  organizationId: number,
  batches: readonly Batch[],
): Promise<Allowed> {
  if (batches.length === 0) return { now: [], later: [] };
  const users = [ALL_USERS_ID, ...new Set(batches.map((batch) => batch.user_id))].toSorted((a, b) => a - b);
  // Locks the rows in order, so that other processes wait.
  const { rows } = await sql<{ user_id: number; mails: number }>`
    INSERT INTO mail_counts AS count (organization_id, user_id, mails)
    SELECT ${organizationId}, user_id, 0 FROM unnest(${users}::integer[]) AS user_id
    ON CONFLICT (organization_id, user_id) DO UPDATE
       SET mails = CASE WHEN count.begun_at < now() - interval '1 hour' THEN 0 ELSE count.mails END,
           begun_at = CASE WHEN count.begun_at < now() - interval '1 hour' THEN now() ELSE count.begun_at END
    RETURNING user_id, mails`.execute(db);
  const counts = new Map(rows.map(({ user_id, mails }) => [user_id, mails]));
  const [now, later]: Batch[][] = [[], []];
  for (const batch of batches) {
    const [all, own] = [counts.get(ALL_USERS_ID) ?? 0, counts.get(batch.user_id) ?? 0];
    const isAllowed = all < MAX_MAILS_PER_ORGANIZATION && own < MAX_MAILS_PER_USER;
    (isAllowed ? now : later)?.push(batch);
    if (!isAllowed) continue;
    counts.set(ALL_USERS_ID, all + 1);
    counts.set(batch.user_id, own + 1);
  }
  await sql`
    UPDATE mail_counts count SET mails = one.mails
      FROM unnest(${[...counts.keys()]}::integer[], ${[...counts.values()]}::integer[]) AS one (user_id, mails)
     WHERE count.organization_id = ${organizationId} AND count.user_id = one.user_id`.execute(db);
  return { now: now ?? [], later: later ?? [] };
}
