import type pg from 'pg';

/** The stored presence of a user; seconds since the epoch. */
export interface PresenceRow {
  readonly userId: number;
  /** The number of the user's last change in the organization; 0 if only `seenAt` is stored. */
  readonly updateId: number;
  readonly connectedAt: number | null;
  readonly activeAt: number | null;
  readonly seenAt: number | null;
}

/** A change to write. */
export interface NewPresence {
  readonly userId: number;
  readonly connectedAt: number;
  readonly activeAt: number | null;
  readonly seenAt: number | null;
  /**
   * The user hides, so this replaces the stored activity. Otherwise the later of both times stays, because another
   * process may have written it.
   */
  readonly hides: boolean;
}

type Database = Pick<pg.Pool, 'query'>;

/** Rows per statement. */
const PAGE_SIZE_ROWS = 10_000;

const seconds = (column: string) => `extract(epoch FROM ${column})::bigint`;
const COLUMNS = `user_id AS "userId", update_id AS "updateId", ${seconds('connected_at')} AS "connectedAt",
                 ${seconds('active_at')} AS "activeAt", ${seconds('seen_at')} AS "seenAt"`;

/** Loads the presence of all users, and the number of the last change in it. Index: the primary key. */
export async function loadPresences(pool: Database, organizationId: number) {
  // Read before the rows, so changes written meanwhile are read again.
  const { rows: heads } = await pool.query<{ head: number }>(
    'SELECT last_update_id AS head FROM presence_heads WHERE organization_id = $1',
    [organizationId],
  );
  const all: PresenceRow[] = [];
  for (let after = 0; ; ) {
    const { rows } = await pool.query<PresenceRow>(
      `SELECT ${COLUMNS} FROM presences WHERE organization_id = $1 AND user_id > $2 ORDER BY user_id LIMIT ${PAGE_SIZE_ROWS}`,
      [organizationId, after],
    );
    all.push(...rows);
    after = rows.at(-1)?.userId ?? after;
    if (rows.length < PAGE_SIZE_ROWS) break;
  }
  return { head: heads[0]?.head ?? 0, rows: all };
}

/**
 * The changes after an update by all processes, and the last update before this query. Only a few processes share an
 * organization, and each asks at most once a second. So a scan of the organization's rows is fine (index: the primary
 * key).
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
 * Writes changes, each user once, in one statement. Its commit does not wait for the disk.
 * @returns the last update before these; they get the next numbers in their order
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

/** Writes when users were active. No response contains it, so it gets no update number. */
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
