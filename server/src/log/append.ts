import pg from 'pg';
import { parameterOf, textsParameter } from '../db/parameters.ts';
import type { Bases, LogEntry } from './entry.ts';
import type { NewEvent } from './event.ts';
import { columnsOf, type RowWriter, textOf } from './rows.ts';

/** The state of the log that an append requires. If the log differs, the statement fails (see `isRefusal`). */
export interface Expected {
  /**
   * The last event that the caller's directory includes. The log must contain it, and no later event may have changed
   * the directory.
   */
  readonly directory: number;
  /** The last event in the log must be exactly this one. Null: any event may be the last. */
  readonly head: number | null;
}

/**
 * The append statement: one statement for an entry, however many messages and events it has. It locks the log's row,
 * assigns the ids, and inserts the events and the rows of the caller. Sends run it alone, as a whole transaction.
 * In a longer transaction it is the last statement, because it locks the row that all other commits need. If `taken`
 * finds no row, `heddle_refuse_append` fails the transaction with the code that `isRefusal` recognizes.
 *
 * | parameter | |
 * |---|---|
 * | $1 | organization |
 * | $2, $3 | number of events, number of messages |
 * | $4 | expected directory position |
 * | $5 | place of the entry's last event with state deltas, from 1 (0: none) |
 * | $6 | expected head (null: any) |
 * | $7–$12 | events |
 * | from $13 | columns of the rows |
 */
const appendText = (rows: readonly string[]) => `
  WITH taken AS (
    UPDATE logs
       SET head = head + $2,
           message_head = message_head + $3,
           directory_head = CASE WHEN $5 > 0 THEN head + $5 ELSE directory_head END
     WHERE organization_id = $1 AND directory_head <= $4 AND head >= $4 AND ($6::bigint IS NULL OR head = $6)
     RETURNING head - $2 AS event_base, message_head - $3 AS message_base
  ), announced AS (
    INSERT INTO events (organization_id, id, type, audience, body, deltas, message_id)
    SELECT $1, taken.event_base + new.place, new.type, new.audience, new.body, new.deltas,
           CASE WHEN new.message > 0 THEN taken.message_base + new.message ELSE new.message_id END
      FROM taken,
           unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::int[], $12::bigint[])
             WITH ORDINALITY AS new (type, audience, body, deltas, message, message_id, place)
  )${rows.map((text) => `, ${text}`).join('')}
  SELECT coalesce((SELECT event_base FROM taken), heddle_refuse_append()) AS events,
         (SELECT message_base FROM taken) AS messages`;

/** The parameters before those of the rows. */
const OWN_PARAMETER_COUNT = 12;

/**
 * The statements, by their tables. A connection prepares each once and keeps its plan. Entries with the same tables use
 * the same statement; there are about ten in practice.
 */
const statements = new Map<string, { readonly name: string; readonly text: string }>();
/** Further statements are not prepared, because the database keeps each prepared one for every connection. */
const MAX_PREPARED_STATEMENTS = 32;

/** Each table has one writer. Otherwise two descriptions of it would share a statement. */
const writersByTable = new Map<string, RowWriter>();

function checkWriter(writer: RowWriter): void {
  const known = writersByTable.get(writer.table);
  if (known === undefined) writersByTable.set(writer.table, writer);
  else if (known !== writer) throw new Error(`two writers share a table: ${writer.table}`);
}

function statementOf(writers: readonly RowWriter[]): Pick<pg.QueryConfig, 'name' | 'text'> {
  for (const writer of writers) checkWriter(writer);
  const key = writers.map(({ table }) => table).join(' ');
  const known = statements.get(key);
  if (known !== undefined) return known;
  let parameter = OWN_PARAMETER_COUNT + 1;
  const parts = writers.map((writer) => {
    const text = textOf(writer, parameter);
    parameter += columnsOf(writer).length;
    return text;
  });
  const text = appendText(parts);
  if (statements.size >= MAX_PREPARED_STATEMENTS) return { text };
  const name = `append ${statements.size}`;
  statements.set(key, { name, text });
  return { name, text };
}

/** Returns the statement that appends the entry. It returns one row, which `basesIn` reads. */
export function appendStatement(organizationId: number, entry: LogEntry, expected: Expected): pg.QueryConfig {
  const { messages, events } = entry;
  const rows = [...entry.rows].sort(([a], [b]) => (a.table < b.table ? -1 : 1));
  const columns = eventColumns(events.map(({ event }) => event));
  return {
    ...statementOf(rows.map(([writer]) => writer)),
    values: [
      organizationId,
      events.length,
      messages,
      expected.directory,
      events.findLastIndex(({ event }) => event.deltas !== undefined) + 1,
      expected.head,
      columns.types,
      columns.audiences,
      textsParameter(columns.bodies),
      columns.deltas,
      events.map(({ message }) => message),
      columns.messageIds,
      ...rows.flatMap(([writer, some]) => columnsOf(writer).map(([name, type]) => columnOf(some, name, type))),
    ].map(parameterOf),
  };
}

function columnOf(rows: readonly object[], name: string, type: string): unknown {
  const values = rows.map((row) => row[name as keyof typeof row]);
  return type === 'text' ? textsParameter(values) : values;
}

export function basesIn(rows: readonly unknown[]): Bases {
  const [bases] = rows as readonly Bases[];
  if (bases === undefined) throw new Error('the append statement returned no row');
  return bases;
}

/** Whether an append failed because the log did not match `Expected`. Then nothing of the transaction has happened. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === 'HD001';
}

/** The columns of the events, as arrays for `unnest`. */
export function eventColumns(events: readonly NewEvent[]) {
  return {
    types: events.map((event) => event.type),
    audiences: events.map((event) => JSON.stringify(event.audience)),
    bodies: events.map((event) => JSON.stringify(event.body)),
    deltas: events.map((event) => (event.deltas === undefined ? null : JSON.stringify(event.deltas))),
    messageIds: events.map((event) => event.messageId ?? null),
  };
}
