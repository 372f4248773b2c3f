import { type RawBuilder, sql } from 'kysely';
import { executePrepared } from '../../db/prepared.ts';
import type { DbTransaction } from '../../db/schema.ts';
import { type LogPosition, selectPosition } from '../../log/read.ts';
import type { StateContext, StatePart } from '../initial-state.ts';

export interface Selection {
  /** Of the snapshot. */
  readonly position: LogPosition;
  /** What each part selects, in the order of the parts; undefined where it selects nothing or is not wanted. */
  readonly values: readonly unknown[];
}

/**
 * Selects what the wanted parts of the initial state want to know of the snapshot, and the snapshot's position: one statement for all. To the
 * database each statement by itself would cost more than what most of them look for.
 */
export async function select(
  snapshot: DbTransaction,
  parts: readonly StatePart[],
  wanted: readonly boolean[],
  context: StateContext,
): Promise<Selection> {
  const chosen = parts.flatMap((part, index) =>
    part.select && wanted[index] ? [{ index, query: part.select(context) }] : [],
  );
  const positionQuery = sql`SELECT row_to_json(p) FROM (${selectPosition(context.directory.organization.id)}) AS p`;
  const queries = [positionQuery, ...chosen.map(({ query }) => query)].map((query) => sql`(${query})`);
  // One column: what PostgreSQL says of each of many, and the taking apart of them, costs more than what most hold.
  const statement = sql<Row>`SELECT json_build_array(${sql.join(queries)}) AS selected`;
  const row = await execute(snapshot, `initial state ${choiceOf(chosen)}`, statement);
  if (row === undefined) throw new Error('a list of values without a row');
  const [position, ...selected] = row.selected;
  const values: unknown[] = [];
  for (const [place, { index }] of chosen.entries()) values[index] = selected[place];
  return { position, values };
}

interface Row {
  readonly selected: readonly [position: LogPosition, ...values: unknown[]];
}

/** Which parts these are, as one short word: a list of their numbers is longer than the name of a statement may be. */
function choiceOf(parts: readonly { readonly index: number }[]): string {
  return parts.reduce((choice, { index }) => choice | (1n << BigInt(index)), 0n).toString(36);
}

/** How many choices of parts are prepared, since each takes memory of each connection. Clients that come with yet others wait for the planner. */
const PREPARED = 16;
const prepared = new Set<string>();

async function execute(snapshot: DbTransaction, name: string, statement: RawBuilder<Row>): Promise<Row | undefined> {
  if (!prepared.has(name) && prepared.size >= PREPARED) return (await statement.execute(snapshot)).rows[0];
  prepared.add(name);
  return (await executePrepared(snapshot, name, statement))[0];
}
