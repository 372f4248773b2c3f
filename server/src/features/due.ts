/** What scheduled messages and reminders have in common: rows with a moment at which something becomes of them. */
import { ApiError } from '@heddle/api/errors.ts';
import { type RawBuilder, sql } from 'kysely';
import { isUnavailable } from '../db/failures.ts';
import type { Db, DbTransaction, Row } from '../db/schema.ts';
import type { Organization } from '../directory/organization.ts';
import type { DueNow } from '../jobs/due-rows.ts';
import type { Rooms } from './rooms.ts';

type DueTable = 'scheduled_messages' | 'reminders';

/** What names a row of either table within an organization: its primary key. */
interface Named {
  readonly user_id: number;
  readonly id: number;
}

/** Organizations that one look finds. */
const MOST = 1000;

/**
 * Where rows of the table are due, and when the next is. One statement; index: `<table>_due`, its beginning. Those of a deactivated
 * organization wait until it is opened again.
 */
export async function lookFor(db: Db, table: DueTable): Promise<DueNow> {
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
async function dueIn<Table extends DueTable>(
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

/**
 * Does what is due in an organization a round at a time, until a round does nothing or the process stops.
 * @param round plans and commits these rows; answers how many came to an end
 * @returns whether anything was done
 */
export async function inRounds<Table extends DueTable>(
  { db, organizations }: Pick<Rooms, 'db' | 'organizations'>,
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

/** What must be as it was when a row was planned: as it is now, in SQL, and as it was then. */
export interface Unchanged<Planned> {
  readonly is: RawBuilder<unknown>;
  was(row: Planned): number | boolean;
}

/** Those that are still due and unchanged, locked; another process may have some. Index: the primary key. */
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

/** How the two kinds of rows are ended: together with what they come to. Index: the primary key. */
export async function deleteRows(
  db: DbTransaction,
  table: DueTable,
  organizationId: number,
  rows: readonly Named[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`DELETE FROM ${sql.table(table)} WHERE organization_id = ${organizationId} AND ${isOneOf(rows)}`.execute(db);
}

/** They stay, and nothing more becomes of them. An edit of a scheduled message that was begun before has to see it: its revision rises. */
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
