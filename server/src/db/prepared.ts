import { type CompiledQuery, type OperationNode, type RawBuilder, RawNode, sql, ValueNode } from 'kysely';
import type pg from 'pg';
import { parameterOf } from './parameters.ts';
import type { Db, DbTransaction } from './schema.ts';

/** A statement that each connection parses and plans once. */
export interface PreparedQuery<Row> extends CompiledQuery<Row> {
  readonly preparedAs: string;
}

/**
 * The text of a named statement. `length` is the total length of its fragments, and detects a different text of the
 * same name.
 */
interface PreparedText {
  readonly text: string;
  readonly length: number;
}

const texts = new Map<string, PreparedText>();

const MAX_NAME_BYTES = 63;

/**
 * Executes a hot statement by name. Inside our transactions, each connection prepares it once; elsewhere it is planned
 * each time. The text is built once.
 * @param name stands for exactly one text; at most 63 ASCII characters
 */
export async function executePrepared<Row>(
  db: Db | DbTransaction,
  name: string,
  statement: RawBuilder<Row>,
): Promise<readonly Row[]> {
  return (await db.executeQuery<Row>(prepare(db, name, statement))).rows;
}

function prepare<Row>(db: Db | DbTransaction, name: string, statement: RawBuilder<Row>): CompiledQuery<Row> {
  const parameters: unknown[] = [];
  const node = statement.toOperationNode();
  const length = collect(node, parameters);
  const known = texts.get(name);
  if (known === undefined) {
    if (name.length > MAX_NAME_BYTES) throw new Error(`PostgreSQL would cut the name of the statement '${name}'`);
    const { sql: text, parameters: compiled } = statement.compile(db);
    texts.set(name, { text, length });
    return writtenStatement(name, text, compiled);
  }
  if (known.length !== length) throw new Error(`the prepared statement '${name}' has two texts`);
  return writtenStatement(name, known.text, parameters);
}

interface RecurringStatement extends pg.QueryConfig {
  readonly values: unknown[];
}

/** How many recurring texts a connection prepares at most, and after how many uses each. */
const MAX_RECURRING_TEXTS = 64;
const MIN_RECURRING_USES = 8;
/** How many texts are counted at most. Beyond that, all counts are reset. */
const MAX_COUNTED_TEXTS = 1000;

const recurring = new Map<string, string>();
const counted = new Map<string, number>();

/**
 * A statement built for a request whose text recurs across requests. The first texts that recur are prepared on each
 * connection; others are planned each time.
 */
export function recurringStatement(statement: RawBuilder<unknown>): RecurringStatement {
  const values: unknown[] = [];
  const text = write(statement.toOperationNode(), values);
  const known = recurring.get(text);
  if (known !== undefined) return { name: known, text, values };
  if (recurring.size < MAX_RECURRING_TEXTS) {
    const times = (counted.get(text) ?? 0) + 1;
    if (counted.size >= MAX_COUNTED_TEXTS) counted.clear();
    counted.set(text, times);
    if (times > MIN_RECURRING_USES) {
      counted.delete(text);
      recurring.set(text, `recurring ${recurring.size + 1}`);
    }
  } else if (counted.size > 0) {
    counted.clear();
  }
  return { text, values };
}

/** Executes a recurring statement in a transaction. */
export async function executeRecurring<Row>(db: Db, statement: RawBuilder<Row>): Promise<readonly Row[]> {
  const { name, text, values } = recurringStatement(statement);
  return (await db.executeQuery(writtenStatement<Row>(name, text, values))).rows;
}

/** Writes the text of a statement and collects its values. Kysely's compiler takes ten times as long. */
function write(node: OperationNode, values: unknown[]): string {
  if (ValueNode.is(node)) {
    if (node.immediate === true) return literal(node.value);
    values.push(parameterOf(node.value));
    return `$${values.length}`;
  }
  if (!RawNode.is(node)) throw new Error(`a recurring statement may contain only SQL and values, not a ${node.kind}`);
  let text = node.sqlFragments[0] ?? '';
  for (const [index, parameter] of node.parameters.entries()) {
    text += write(parameter, values) + node.sqlFragments[index + 1];
  }
  return text;
}

function literal(value: unknown): string {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Error('a literal must be a whole number');
  return String(value);
}

/** The text of a statement or fragment without values. */
export function textOf(statement: RawBuilder<unknown>): string {
  const values: unknown[] = [];
  const text = write(statement.toOperationNode(), values);
  if (values.length > 0) throw new Error(`expected a text without values, but it has ${values.length}: ${text}`);
  return text;
}

/**
 * A statement with a text that was already built.
 * @param name as in `executePrepared`; undefined to plan it each time
 */
export function writtenStatement<Row>(
  name: string | undefined,
  text: string,
  values: readonly unknown[],
): CompiledQuery<Row> {
  const query: CompiledQuery<Row> & Partial<PreparedQuery<Row>> = {
    query: RawNode.createWithSql(text),
    queryId: NO_QUERY,
    sql: text,
    parameters: values,
    ...(name !== undefined && { preparedAs: name }),
  };
  return query;
}

/** Returns the value of a query with one row and one column. */
export async function readValue<Value>(db: Db | DbTransaction, query: RawBuilder<Value>): Promise<Value> {
  const { rows } = await sql<{ value: Value }>`SELECT (${query}) AS value`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the query of a single value returned no row');
  return row.value;
}

/** Our queries need no ids, because no Kysely plugin uses them. */
const NO_QUERY = { queryId: 'prepared' };

/** The node kinds of `sql.ref` and `sql.table`. */
const NAMES: ReadonlySet<string> = new Set(['ReferenceNode', 'ColumnNode', 'TableNode', 'IdentifierNode']);

/** Collects the statement's parameters in the order of its text. Returns the total length of the text fragments. */
function collect(node: OperationNode, parameters: unknown[]): number {
  if (ValueNode.is(node)) {
    if (node.immediate === true) return literal(node.value).length;
    parameters.push(node.value);
    return 0;
  }
  if (!RawNode.is(node)) {
    if (!NAMES.has(node.kind))
      throw new Error(`a prepared statement may contain only SQL, names and values, not a ${node.kind}`);
    return 0;
  }
  let length = 0;
  for (const piece of node.sqlFragments) length += piece.length;
  for (const parameter of node.parameters) length += collect(parameter, parameters);
  return length;
}

export function nameOf(query: CompiledQuery): string | undefined {
  return 'preparedAs' in query ? (query as PreparedQuery<unknown>).preparedAs : undefined;
}
