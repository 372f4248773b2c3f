/** Shared by scheduled messages and reminders: rows with a time at which they are processed. */
import { ApiError } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { isUnavailable } from '../../../db/failures.ts';
import type { Db, DbTransaction, Row } from '../../../db/schema.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import type { DueNow } from '../../../jobs/scheduler.ts';

type DueTable = 'scheduled_messages' | 'reminders';

/** The primary key of a row of either table, within an organization. */
interface Named {
  readonly user_id: number;
  readonly id: number;
}

/** Organizations per look. */
const MAX_ORGANIZATIONS_PER_LOOK = 1000;

/**
 * The organizations with due rows, and the time of the next row. One statement; index: `<table>_due`, its beginning.
 * Rows of a deactivated organization wait until it is active again.
 */
export async function lookFor(db: Db, table: DueTable): Promise<DueNow> {
  const { rows } = await sql<DueNow>`
    SELECT ARRAY(
             SELECT due.organization_id
               FROM ${sql.table(table)} due
               JOIN organizations ON organizations.id = due.organization_id AND organizations.deactivated_at IS NULL
              WHERE NOT due.failed AND due.deliver_at <= now()
              GROUP BY due.organization_id ORDER BY min(due.deliver_at) LIMIT ${MAX_ORGANIZATIONS_PER_LOOK}
           ) AS "organizationIds",
           (SELECT (extract(epoch FROM min(deliver_at) - now()) * 1000)::float8
              FROM ${sql.table(table)} WHERE NOT failed AND deliver_at > now()) AS next`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('a look answered nothing');
  return found;
}

/** The most due rows per commit. Their rendering may run again with the organization lock held. */
const MAX_ROWS_PER_COMMIT = 20;
/** The most characters per commit. A single row may have more. */
const MAX_CHARACTERS_PER_COMMIT = 20_000;

/**
 * The rows of the organization that are due for longest, as many as fit into a commit. Index: `<table>_due`, its
 * beginning.
 */
async function dueIn<Table extends DueTable>(
  db: Db,
  table: Table,
  organizationId: number,
): Promise<readonly Row<Table>[]> {
  const { rows } = await sql<Row<Table> & { readonly content: string }>`
    SELECT * FROM ${sql.table(table)}
     WHERE NOT failed AND deliver_at <= now() AND organization_id = ${organizationId}
     ORDER BY deliver_at, id LIMIT ${MAX_ROWS_PER_COMMIT}`.execute(db);
  let length = 0;
  const end = rows.findIndex(({ content }) => {
    length += content.length;
    return length > MAX_CHARACTERS_PER_COMMIT;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(end, 1));
}

/**
 * Processes the due rows of an organization in batches, until a batch does nothing or the process stops.
 * @param round plans and commits these rows; returns how many are finished
 * @returns whether any row was processed
 */
export async function inRounds<Table extends DueTable>(
  { db, organizations }: Pick<AppContext, 'db' | 'organizations'>,
  due: { readonly table: Table; readonly organizationId: number; readonly signal: AbortSignal },
  round: (organization: Organization, rows: readonly Row<Table>[]) => Promise<number>,
): Promise<boolean> {
  const { table, organizationId, signal } = due;
  const organization = await organizations.byId(organizationId);
  if (organization === undefined) return false;
  for (let isAnythingDone = false; ; isAnythingDone = true) {
    if (signal.aborted) return isAnythingDone;
    const rows = await dueIn(db, table, organizationId);
    if (rows.length === 0 || (await round(organization, rows)) === 0) return isAnythingDone;
  }
}

/** What must not have changed since a row was planned: its current value in SQL, and its planned value. */
export interface Unchanged<Planned> {
  readonly is: RawBuilder<unknown>;
  was(row: Planned): number | boolean;
}

/** Locks the rows that are still due and unchanged. Another process may have processed some. Index: the primary key. */
export async function lockDue<Planned extends Named>(
  db: DbTransaction,
  table: DueTable,
  organizationId: number,
  rows: readonly Planned[],
  unchanged: Unchanged<Planned>,
): Promise<ReadonlySet<number>> {
  const { rows: locked } = await sql<{ id: number }>`
    SELECT due.id
      FROM ${sql.table(table)} due
      JOIN unnest(${rows.map((row) => row.user_id)}::integer[], ${rows.map((row) => row.id)}::bigint[],
                  ${rows.map((row) => String(unchanged.was(row)))}::text[]) AS planned (user_id, id, was)
        ON due.user_id = planned.user_id AND due.id = planned.id AND (${unchanged.is})::text = planned.was
     WHERE due.organization_id = ${organizationId} AND NOT due.failed AND due.deliver_at <= now()
     ORDER BY due.id FOR UPDATE OF due SKIP LOCKED`.execute(db);
  return new Set(locked.map(({ id }) => id));
}

/** Deletes finished rows, in the transaction of what they cause. Index: the primary key. */
export async function deleteRows(
  db: DbTransaction,
  table: DueTable,
  organizationId: number,
  rows: readonly Named[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`DELETE FROM ${sql.table(table)} WHERE organization_id = ${organizationId} AND ${isOneOf(rows)}`.execute(db);
}

/** Marks rows as failed; they stay. The revision of a scheduled message increases, so a concurrent edit notices it. */
export async function markFailed(
  db: DbTransaction,
  table: DueTable,
  organizationId: number,
  rows: readonly Named[],
): Promise<void> {
  if (rows.length === 0) return;
  const revision = table === 'scheduled_messages' ? sql`, revision = revision + 1` : sql``;
  await sql`
    UPDATE ${sql.table(table)} SET failed = true${revision}
     WHERE organization_id = ${organizationId} AND ${isOneOf(rows)}`.execute(db);
}

function isOneOf(rows: readonly Named[]): RawBuilder<boolean> {
  return sql`(user_id, id) IN (
    SELECT * FROM unnest(${rows.map((row) => row.user_id)}::integer[], ${rows.map((row) => row.id)}::bigint[])
  )`;
}

/**
 * Commits the planned rows in one transaction. If one of them makes it fail, each gets a transaction of its own.
 * @param giveUp ends a row that fails alone
 * @returns how many rows are finished
 * @throws errors that a retry may not have
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

/** Whether a retry may succeed. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError ? error.code === 'SERVICE_UNAVAILABLE' : isUnavailable(error);
}
