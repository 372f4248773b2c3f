import type pg from 'pg';

/** When somebody was there, as it is kept; seconds since the epoch. */
export interface PresenceRow {
  readonly userId: number;
  /** Counts the changes of what is told in the organization; 0 where nothing is told of the user. */
  readonly updateId: number;
  readonly connectedAt: number | null;
  readonly activeAt: number | null;
  readonly seenAt: number | null;
}

/** What is to be written of a user. */
export interface NewPresence {
  readonly userId: number;
  readonly connectedAt: number;
  readonly activeAt: number | null;
  readonly seenAt: number | null;
  /** The user hides: what was known before counts no more. Else activity that another process has written stays. */
  readonly hides: boolean;
}

type Database = Pick<pg.Pool, 'query'>;

/** Rows that one statement loads. */
const PAGE = 10_000;

const seconds = (column: string) => `extract(epoch FROM ${column})::bigint`;
const COLUMNS = `user_id AS "userId", update_id AS "updateId", ${seconds('connected_at')} AS "connectedAt",
                 ${seconds('active_at')} AS "activeAt", ${seconds('seen_at')} AS "seenAt"`;

/** All of an organization's, and the last update that they know. Index: the primary key. */
export async function loadPresences(pool: Database, organizationId: number) {
  // Before the rows: what is written meanwhile is read again.
  const { rows: heads } = await pool.query<{ head: number }>(
    'SELECT last_update_id AS head FROM presence_heads WHERE organization_id = $1',
    [organizationId],
  );
  const all: PresenceRow[] = [];
  for (let after = 0; ; ) {
    const { rows } = await pool.query<PresenceRow>(
      `SELECT ${COLUMNS} FROM presences WHERE organization_id = $1 AND user_id > $2 ORDER BY user_id LIMIT ${PAGE}`,
      [organizationId, after],
    );
    all.push(...rows);
    after = rows.at(-1)?.userId ?? after;
    if (rows.length < PAGE) break;
  }
  return { head: heads[0]?.head ?? 0, rows: all };
}

/**
 * What was written after an update, by whichever process, and the last update before that was asked. Few processes share an organization,
 * and ask at most once a second: the organization's rows are looked through (index: the primary key).
 */
export async function presencesAfter(pool: Database, organizationId: number, updateId: number) {
  const { rows: heads } = await pool.query<{ head: number }>({
    name: 'presence head',
    text: 'SELECT last_update_id AS head FROM presence_heads WHERE organization_id = $1',
    values: [organizationId],
  });
  const head = heads[0]?.head ?? 0;
  if (head === updateId) return { head, rows: [] };
  const { rows } = await pool.query<PresenceRow>({
    name: 'presences after',
    text: `SELECT ${COLUMNS} FROM presences WHERE organization_id = $1 AND update_id > $2`,
    values: [organizationId, updateId],
  });
  return { head, rows };
}

const WRITE = `
  WITH head AS (
    INSERT INTO presence_heads AS known (organization_id, last_update_id) VALUES ($1, $2)
    ON CONFLICT (organization_id) DO UPDATE SET last_update_id = known.last_update_id + $2
    RETURNING last_update_id - $2 AS base, set_config('synchronous_commit', 'off', true)
  ), written AS (
    INSERT INTO presences AS known (organization_id, user_id, update_id, connected_at, active_at, seen_at)
    SELECT $1, new.user_id, head.base + new.ord, to_timestamp(new.connected), to_timestamp(new.active), to_timestamp(new.seen)
      FROM head, unnest($3::int[], $4::bigint[], $5::bigint[], $6::bigint[])
                 WITH ORDINALITY AS new (user_id, connected, active, seen, ord)
    ON CONFLICT (organization_id, user_id) DO UPDATE SET
      update_id = excluded.update_id,
      connected_at = excluded.connected_at,
      active_at = CASE WHEN known.user_id = ANY ($7::int[]) THEN excluded.active_at
                       ELSE greatest(known.active_at, excluded.active_at) END,
      seen_at = greatest(known.seen_at, excluded.seen_at)
  )
  SELECT base FROM head`;

/**
 * Writes what is new of many users, each once, in one statement, whose commit does not wait for the disk.
 * @returns the last update before these, which are numbered in their order
 */
export async function writePresences(
  pool: Database,
  organizationId: number,
  presences: readonly NewPresence[],
): Promise<number> {
  const { rows } = await pool.query<{ base: number }>({
    name: 'write presences',
    text: WRITE,
    values: [
      organizationId,
      presences.length,
      presences.map(({ userId }) => userId),
      presences.map(({ connectedAt }) => connectedAt),
      presences.map(({ activeAt }) => activeAt),
      presences.map(({ seenAt }) => seenAt),
      presences.filter(({ hides }) => hides).map(({ userId }) => userId),
    ],
  });
  const base = rows[0]?.base;
  if (base === undefined) throw new Error('writing presences answered nothing');
  return base;
}

/** Writes that users were seen, of whom nobody else is told. */
export async function writeSeen(
  pool: Database,
  organizationId: number,
  seen: ReadonlyMap<number, number>,
): Promise<void> {
  await pool.query({
    name: 'write seen',
    text: `
      INSERT INTO presences AS known (organization_id, user_id, update_id, seen_at)
      SELECT $1, new.user_id, 0, to_timestamp(new.seen) FROM unnest($2::int[], $3::bigint[]) AS new (user_id, seen)
      ON CONFLICT (organization_id, user_id) DO UPDATE SET seen_at = greatest(known.seen_at, excluded.seen_at)`,
    values: [organizationId, [...seen.keys()], [...seen.values()]],
  });
}
