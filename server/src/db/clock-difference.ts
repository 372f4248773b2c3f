import { sql } from 'kysely';
import type { Db } from './schema.ts';

/** The clocks of two machines may differ by this much. */
export const MAX_CLOCK_DIFFERENCE_SECONDS = 2;

/** How many seconds the clock of this machine is ahead of that of the database. */
export async function clockDifferenceSeconds(db: Db): Promise<number> {
  const begunAt = Date.now();
  const { rows } = await sql<{ now: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 AS now`.execute(db);
  const middle = (begunAt + Date.now()) / 2000;
  return middle - (rows[0]?.now ?? 0);
}
