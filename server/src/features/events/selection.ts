import { sql } from 'kysely';
import { textOf } from '../../db/prepared.ts';
import type { StatePart, StateReader } from '../../extension/initial-state.ts';
import { ADD_QUEUE, type AddedRow } from '../../log/queue-store.ts';
import { type LogPosition, selectPosition } from '../../log/read.ts';

/** The result of the statement. */
export interface SelectedRow extends AddedRow {
  readonly selected: readonly [position: LogPosition, ...values: unknown[]];
}

/**
 * The statement that adds a queue at the log's position and selects the values of the wanted parts at that position. A statement per part
 * would cost the database more than most of the lookups. Its parameters are those of `ADD_QUEUE`.
 */
export interface Selection {
  /** Undefined if connections do not prepare the statement. */
  readonly name: string | undefined;
  readonly text: string;
  /** The index of each part's value in the result, in the order of the parts; 0 if the part selects nothing or is not wanted. */
  readonly places: readonly number[];
}

const READER: StateReader = { organizationId: sql.raw('$1::integer'), userId: sql.raw('$2::integer') };

/** The number of choices of parts that are prepared: each takes memory of each connection. Other choices are planned every time. */
const MAX_PREPARED_SELECTIONS = 16;
/** A name stands for one text in the whole process. */
let named = 0;
/** By the list of parts: a choice only says which of them are wanted. */
const preparedOf = new WeakMap<readonly StatePart[], Map<string, Selection>>();

export function selectionOf(parts: readonly StatePart[], wanted: readonly boolean[]): Selection {
  const choice = wanted.map(Number).join('');
  const prepared = preparedOf.get(parts) ?? new Map<string, Selection>();
  preparedOf.set(parts, prepared);
  const known = prepared.get(choice);
  if (known !== undefined) return known;
  const name = prepared.size < MAX_PREPARED_SELECTIONS ? `initial state ${++named}` : undefined;
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
  // One column. PostgreSQL's description of many columns, and parsing them here, would cost more than the content of most.
  const columns = queries.map((query) => `(${query})`).join(', ');
  const text = `WITH queue AS (${ADD_QUEUE}) SELECT json_build_array(${columns}) AS selected, queue.epoch, queue.others FROM queue`;
  return { text, places };
}
