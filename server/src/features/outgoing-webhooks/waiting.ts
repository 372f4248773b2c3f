/** What the services of outgoing webhook bots are still to be told of: whose turn it is, and what became of it. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { Trigger, Triggered } from './triggers.ts';

/** Messages that may wait for one bot's service; of more, the newest are not told. */
export const MOST_WAITING = 100;
/** Bots of which a look tells. */
export const MOST_BOTS = 500;
/** So often is one tried where it may work later; as the reference does. */
export const MOST_ATTEMPTS = 4;
/** So often is one begun, by processes that were killed or could not end it as well; then nobody is told. */
export const MOST_BEGUN = 10;
/** Between attempts, in seconds: somebody waits for the answer. */
const PAUSES = [2, 8, 30];

/** A message of which a bot's service is to be told. */
export interface Waiting {
  readonly organization_id: number;
  readonly bot_id: number;
  readonly message_id: number;
}

export interface Claimed extends Waiting {
  readonly trigger: Trigger;
  /** With this one. */
  readonly attempts: number;
}

/** Once for each bot and message. Answers how many were too many. Index: the primary key. */
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
    DELETE FROM outgoing_requests one
     USING unnest(${[...new Set(triggered.map(({ botId }) => botId))]}::integer[]) AS told (bot_id)
     WHERE one.organization_id = ${organizationId} AND one.bot_id = told.bot_id
       AND one.message_id IN (
             SELECT message_id FROM outgoing_requests
              WHERE organization_id = ${organizationId} AND bot_id = told.bot_id
              ORDER BY message_id OFFSET ${MOST_WAITING})`.execute(db);
  return Number(numAffectedRows);
}

/**
 * Of each bot that has something due the longest due, a few of each; of more bots than one look takes another part each time, so that nobody
 * keeps the others out of sight with hundreds of theirs. Index: outgoing_requests_due, a step for each bot that has anything
 * waiting, however much that is. Those of a deactivated organization wait until it is opened again.
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
       ORDER BY random() LIMIT ${MOST_BOTS * ofEach}
    )
    SELECT organization_id, bot_id, message_id FROM part ORDER BY due_at, message_id`.execute(db);
  return rows;
}

/**
 * Takes those that are still due. Each is put off for so long that no other process takes it while this one is at it; what a killed process
 * had taken comes back then. Index: the primary key.
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

/** It did not work, and may later. */
export async function putOff(db: Db, claimed: Claimed): Promise<void> {
  const pause = PAUSES[claimed.attempts - 1] ?? 0;
  await sql`
    UPDATE outgoing_requests SET due_at = now() + make_interval(secs => ${pause}) WHERE ${still(claimed)}`.execute(db);
}

/** There was no time for it: the attempt does not count. */
export async function giveBack(db: Db, claimed: Claimed): Promise<void> {
  await sql`UPDATE outgoing_requests SET due_at = now(), attempts = attempts - 1 WHERE ${still(claimed)}`.execute(db);
}

/** Whether it was still this attempt's to end. In the change that says what came of it: so that is said once. */
export async function end(db: Db | DbTransaction, claimed: Claimed): Promise<boolean> {
  const { rows } = await sql`DELETE FROM outgoing_requests WHERE ${still(claimed)} RETURNING bot_id`.execute(db);
  return rows.length > 0;
}

/** Unless the attempt took so long that another has begun. */
function still({ organization_id, bot_id, message_id, attempts }: Claimed): RawBuilder<boolean> {
  return sql`organization_id = ${organization_id} AND bot_id = ${bot_id} AND message_id = ${message_id}
             AND attempts = ${attempts}`;
}
