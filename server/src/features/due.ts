/** What scheduled messages and reminders have in common: rows with a moment at which something becomes of them. */
import { ApiError } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { isUnavailable } from '../db/failures.ts';
import type { Db, DbTransaction, Row } from '../db/schema.ts';
import type { DueNow } from '../jobs/due-rows.ts';

/** Organizations that one look finds. */
const MOST = 1000;

/**
 * Where rows of the table are due, and when the next is. One statement; index: `<table>_due`, its beginning. Those of a deactivated
 * organization wait until it is opened again.
 */
export async function lookFor(db: Db, table: 'scheduled_messages' | 'reminders'): Promise<DueNow> {
  const { rows } = await sql<DueNow>`
    SELECT ARRAY(
             SELECT due.organization_id
               FROM ${sql.table(table)} due
               JOIN organizations ON organizations.id = due.organization_id AND organizations.deactivated_at IS NULL
              WHERE NOT due.failed AND due.deliver_at <= now()
              GROUP BY due.organization_id ORDER BY min(due.deliver_at) LIMIT ${MOST}
           ) AS "organizationIds",
           (SELECT (extract(epoch FROM min(deliver_at) - now()) * 1000)::float8
              FROM ${sql.table(table)} WHERE NOT failed AND deliver_at > now()) AS next`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('a look answered nothing');
  return found;
}

/** Of what is due, as much as goes into one commit: more might have to be rendered with the log held. */
const MOST_ROWS = 20;
/** Characters; one alone may have more. */
const MOST_CONTENT = 20_000;

/** The longest due of the organization, as many as go into a commit. Index: `<table>_due`, its beginning. */
export async function dueIn<Table extends 'scheduled_messages' | 'reminders'>(
  db: Db,
  table: Table,
  organizationId: number,
): Promise<readonly Row<Table>[]> {
  const { rows } = await sql<Row<Table> & { readonly content: string }>`
    SELECT * FROM ${sql.table(table)}
     WHERE NOT failed AND deliver_at <= now() AND organization_id = ${organizationId}
     ORDER BY deliver_at, id LIMIT ${MOST_ROWS}`.execute(db);
  let length = 0;
  const end = rows.findIndex(({ content }) => {
    length += content.length;
    return length > MOST_CONTENT;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(end, 1));
}

/** How the two kinds of rows are ended: together with what they come to. Index: the primary key. */
export async function deleteRows(
  db: DbTransaction,
  table: 'scheduled_messages' | 'reminders',
  organizationId: number,
  rows: readonly { readonly user_id: number; readonly id: number }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    DELETE FROM ${sql.table(table)}
     WHERE organization_id = ${organizationId} AND (user_id, id) IN (
             SELECT * FROM unnest(${rows.map((row) => row.user_id)}::integer[], ${rows.map((row) => row.id)}::bigint[])
           )`.execute(db);
}

/**
 * Commits what is planned in one change; where that fails because of one of them, each in one of its own.
 * @param giveUp ends one that fails by itself
 * @returns how many came to an end
 * @throws what may succeed later
 */
export async function commitTogether<Planned>(
  planned: readonly Planned[],
  commit: (planned: readonly Planned[]) => Promise<number>,
  giveUp: (planned: Planned, error: unknown) => Promise<number>,
): Promise<number> {
  let failure: unknown;
  try {
    return await commit(planned);
  } catch (error) {
    if (isPassing(error)) throw error;
    failure = error;
  }
  const [only] = planned;
  if (planned.length === 1 && only !== undefined) return giveUp(only, failure);
  let done = 0;
  for (const one of planned) done += await commitTogether([one], commit, giveUp);
  return done;
}

/** Whether the same may succeed later. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError ? error.code === 'SERVICE_UNAVAILABLE' : isUnavailable(error);
}

/**
 * Does what is due a round at a time, until a round does nothing or the process stops.
 * @param round answers how much it did
 * @returns whether anything was done
 */
export async function inRounds(signal: AbortSignal, round: () => Promise<number>): Promise<boolean> {
  for (let isAnythingDone = false; ; isAnythingDone = true) {
    if (signal.aborted || (await round()) === 0) return isAnythingDone;
  }
}
