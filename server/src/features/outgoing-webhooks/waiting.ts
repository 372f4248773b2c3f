/** The table of requests to services: claims and results. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { Trigger, Triggered } from './triggers.ts';

/** Waiting messages per bot. Newer ones are dropped. */
export const MAX_WAITING_REQUESTS_PER_BOT = 100;
/** Bots per look. */
export const MAX_BOTS_PER_LOOK = 500;
/** The maximum of attempts after temporary failures, as in the reference. */
export const MAX_ATTEMPTS = 4;
/** The maximum of starts, which includes processes that were killed or could not end the request. */
export const MAX_STARTS = 10;
/** Between attempts, in seconds. They are short because a user waits for the reply. */
const PAUSES = [2, 8, 30];

/** A message of which the service of a bot must be notified. */
export interface Waiting {
  readonly organization_id: number;
  readonly bot_id: number;
  readonly message_id: number;
}

export interface Claimed extends Waiting {
  readonly trigger: Trigger;
  /** Including this one. */
  readonly attempts: number;
}

/** Adds requests, once per bot and message. Returns how many were dropped. Index: the primary key. */
export async function addRequests(
  db: DbTransaction,
  organizationId: number,
  triggered: readonly Triggered[],
): Promise<number> {
  await sql`
    INSERT INTO outgoing_requests (organization_id, bot_id, message_id, trigger)
    SELECT ${organizationId}::integer, bot_id, message_id, trigger
      FROM unnest(${triggered.map(({ botId }) => botId)}::integer[], ${triggered.map(({ messageId }) => messageId)}::bigint[],
                  ${triggered.map(({ trigger }) => trigger)}::text[]) AS triggered (bot_id, message_id, trigger)
    ON CONFLICT DO NOTHING`.execute(db);
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM outgoing_requests
     WHERE organization_id = ${organizationId} AND ctid = ANY (ARRAY(
             SELECT excess.ctid
               FROM unnest(${[...new Set(triggered.map(({ botId }) => botId))]}::integer[]) AS notified (bot_id),
                    LATERAL (SELECT ctid FROM outgoing_requests
                              WHERE organization_id = ${organizationId} AND bot_id = notified.bot_id
                              ORDER BY message_id OFFSET ${MAX_WAITING_REQUESTS_PER_BOT}) AS excess))`.execute(db);
  return Number(numAffectedRows);
}

/**
 * The oldest due requests of each bot, a few of each. With more bots than `MAX_BOTS_PER_LOOK`, each look takes another random part, so that no bot
 * hides the others with hundreds of requests. Requests of deactivated organizations wait. Index: outgoing_requests_due, with one step per
 * bot that has waiting requests.
 */
export async function lookForDue(db: Db, ofEach: number): Promise<readonly Waiting[]> {
  const { rows } = await sql<Waiting>`
    WITH RECURSIVE bot AS (
      (SELECT organization_id, bot_id FROM outgoing_requests ORDER BY organization_id, bot_id LIMIT 1)
      UNION ALL
      SELECT next.organization_id, next.bot_id
        FROM bot
       CROSS JOIN LATERAL (
         SELECT organization_id, bot_id FROM outgoing_requests
          WHERE (organization_id, bot_id) > (bot.organization_id, bot.bot_id)
          ORDER BY organization_id, bot_id LIMIT 1) AS next
    ), part AS (
      SELECT due.*
        FROM bot
        JOIN organizations ON organizations.id = bot.organization_id AND organizations.deactivated_at IS NULL
       CROSS JOIN LATERAL (
         SELECT * FROM outgoing_requests
          WHERE organization_id = bot.organization_id AND bot_id = bot.bot_id AND due_at <= now()
          ORDER BY due_at, message_id LIMIT ${ofEach}) AS due
       ORDER BY random() LIMIT ${MAX_BOTS_PER_LOOK * ofEach}
    )
    SELECT organization_id, bot_id, message_id FROM part ORDER BY due_at, message_id`.execute(db);
  return rows;
}

/**
 * Claims those that are still due. A claim is longer than the work of this process, so no other process takes the request. The request of a
 * killed process is retried when its claim expires. Index: the primary key.
 */
export async function claim(db: Db, waiting: readonly Waiting[], forSeconds: number): Promise<readonly Claimed[]> {
  if (waiting.length === 0) return [];
  const { rows } = await sql<Claimed>`
    UPDATE outgoing_requests request
       SET attempts = attempts + 1, due_at = now() + make_interval(secs => ${forSeconds})
      FROM (SELECT organization_id, bot_id, message_id FROM outgoing_requests
             WHERE due_at <= now() AND (organization_id, bot_id, message_id) IN (${named(waiting)})
               FOR UPDATE SKIP LOCKED) AS due
     WHERE request.organization_id = due.organization_id AND request.bot_id = due.bot_id
       AND request.message_id = due.message_id
    RETURNING request.organization_id, request.bot_id, request.message_id, trigger, attempts`.execute(db);
  return rows;
}

function named(waiting: readonly Waiting[]): RawBuilder<unknown> {
  return sql`SELECT * FROM unnest(${waiting.map((one) => one.organization_id)}::integer[],
                                  ${waiting.map((one) => one.bot_id)}::integer[],
                                  ${waiting.map((one) => one.message_id)}::bigint[])`;
}

/** The attempt failed, and a retry may succeed. */
export async function putOff(db: Db, claimed: Claimed): Promise<void> {
  const pause = PAUSES[claimed.attempts - 1] ?? 0;
  await sql`
    UPDATE outgoing_requests SET due_at = now() + make_interval(secs => ${pause}) WHERE ${still(claimed)}`.execute(db);
}

/** There was no time for it, so the attempt does not count. */
export async function giveBack(db: Db, claimed: Claimed): Promise<void> {
  await sql`UPDATE outgoing_requests SET due_at = now(), attempts = attempts - 1 WHERE ${still(claimed)}`.execute(db);
}

/**
 * Deletes the row, in the transaction that sends the result, so the result is sent once. Returns whether the row still belonged to this
 * attempt.
 */
export async function end(db: Db | DbTransaction, claimed: Claimed): Promise<boolean> {
  const { rows } = await sql`DELETE FROM outgoing_requests WHERE ${still(claimed)} RETURNING bot_id`.execute(db);
  return rows.length > 0;
}

/** False if the attempt took so long that another has started. */
function still({ organization_id, bot_id, message_id, attempts }: Claimed): RawBuilder<boolean> {
  return sql`organization_id = ${organization_id} AND bot_id = ${bot_id} AND message_id = ${message_id}
             AND attempts = ${attempts}`;
}
