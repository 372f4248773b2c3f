import { sql } from 'kysely';
import { textOf } from '../../db/prepared.ts';
import { ADD_QUEUE } from '../../log/queue-store.ts';
import { type LogPosition, selectPosition } from '../../log/read.ts';
import type { StatePart, StateReader } from '../initial-state.ts';

/** What the statement answers. */
export interface SelectedRow {
  readonly selected: readonly [position: LogPosition, ...values: unknown[]];
  /** How many queues the user had before. */
  readonly others: number;
}

/**
 * The statement that adds a queue at the log's position and selects what the wanted parts of the initial state want to know at that
 * position: a statement by itself would cost the database more than what most of them look for. Its parameters are those of `ADD_QUEUE`.
 */
export interface Selection {
  /** Undefined where connections do not prepare it. */
  readonly name: string | undefined;
  readonly text: string;
  /** Where in the answer the value of each part is, in the order of the parts; 0 where it selects nothing or is not wanted. */
  readonly places: readonly number[];
}

const READER: StateReader = { organizationId: sql.raw('$1::integer'), userId: sql.raw('$2::integer') };

/** How many choices of parts are prepared, since each takes memory of each connection. Clients that come with yet others wait for the planner. */
const PREPARED = 16;
/** A name stands for one text in all of the process. */
let named = 0;
/** By the parts that there are: a choice says which of them are wanted, and nothing of what they are. */
const preparedOf = new WeakMap<readonly StatePart[], Map<string, Selection>>();

export function selectionOf(parts: readonly StatePart[], wanted: readonly boolean[]): Selection {
  const choice = wanted.map(Number).join('');
  const prepared = preparedOf.get(parts) ?? new Map<string, Selection>();
  preparedOf.set(parts, prepared);
  const known = prepared.get(choice);
  if (known !== undefined) return known;
  const name = prepared.size < PREPARED ? `initial state ${++named}` : undefined;
  const selection = { name, ...write(parts, wanted) };
  if (name !== undefined) prepared.set(choice, selection);
  return selection;
}

function write(parts: readonly StatePart[], wanted: readonly boolean[]): Omit<Selection, 'name'> {
  const queries = [`SELECT row_to_json(p) FROM (${textOf(selectPosition(READER.organizationId))}) AS p`];
  const places = parts.map((part, index) => {
    if (part.select === undefined || !wanted[index]) return 0;
    const query = textOf(part.select(READER));
    const known = queries.indexOf(query);
    return known > 0 ? known : queries.push(query) - 1;
  });
  // One column: what PostgreSQL says of each of many, and the taking apart of them, costs more than what most hold.
  const columns = queries.map((query) => `(${query})`).join(', ');
  const text = `WITH queue AS (${ADD_QUEUE}) SELECT json_build_array(${columns}) AS selected, queue.others FROM queue`;
  return { text, places };
}
