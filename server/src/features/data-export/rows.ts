/** Reads the rows of a table as lines of JSON, a bounded number at a time. */
import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import type { ExportedTable, ExportScope } from '../../extension/exports.ts';

/** Rows and bytes that are read at once. A row can have a picture of some hundred kilobytes. */
const MAX_ROWS_AT_ONCE = 400;
const GOAL_BYTES = 256 * 1024;

/** A table as PostgreSQL's catalog describes it. */
export interface TableShape {
  readonly table: string;
  /** Without those that PostgreSQL computes. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly primaryKey: readonly string[];
}

/** All tables with rows of an organization. */
export async function readShapes(db: DbTransaction): Promise<ReadonlyMap<string, TableShape>> {
  const { rows } = await sql<TableShape>`
    SELECT relname AS "table",
           jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, NULL)) ORDER BY attnum) AS columns,
           ARRAY(SELECT key.attname::text
                   FROM pg_index, unnest(indkey) WITH ORDINALITY AS part (attnum, place)
                   JOIN pg_attribute key ON key.attrelid = pg_class.oid AND key.attnum = part.attnum
                  WHERE indrelid = pg_class.oid AND indisprimary ORDER BY place) AS "primaryKey"
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
     GROUP BY pg_class.oid, relname
    HAVING relname = 'organizations' OR bool_or(attname = 'organization_id')`.execute(db);
  return new Map(rows.map((row) => [row.table, row]));
}

export interface ReadRow {
  /** A JSON object without its end of line. */
  readonly line: string;
  /** Of a row with a file: its id. */
  readonly file: number | null;
}

/** Reads batches of rows, in the order of the primary key. The transaction must be a snapshot. */
export async function* readRows(
  db: DbTransaction,
  organizationId: number,
  {
    exported,
    shape,
    scope,
  }: { readonly exported: ExportedTable; readonly shape: TableShape; readonly scope: ExportScope },
): AsyncGenerator<readonly ReadRow[]> {
  const { table, files, rows = () => sql<boolean>`true` } = exported;
  const own = table === 'organizations' ? 'id' : 'organization_id';
  const values = exported.fields.map((field) => sql`${valueFor(field, exported, shape, scope)} AS ${sql.ref(field)}`);
  const order = shape.primaryKey.map((column) => sql.ref(`t.${column}`));
  await sql`
    DECLARE exported NO SCROLL CURSOR FOR
     SELECT (SELECT row_to_json(line)::text FROM (SELECT ${sql.join(values)}) AS line) AS line,
            ${files === undefined ? sql`NULL::bigint` : sql.ref(`t.${files.name}`)} AS file
       FROM ${sql.table(table)} t
      WHERE ${sql.ref(`t.${own}`)} = ${organizationId} AND ${rows(scope)}
      ORDER BY ${sql.join(order)}`.execute(db);
  let count = 10;
  for (;;) {
    const { rows: batch } = await sql<ReadRow>`FETCH ${sql.lit(count)} FROM exported`.execute(db);
    if (batch.length > 0) yield batch;
    if (batch.length < count) break;
    const bytes = batch.reduce((sum, { line }) => sum + line.length, 0);
    count = Math.max(1, Math.min(MAX_ROWS_AT_ONCE, 2 * count, Math.floor((count * GOAL_BYTES) / bytes)));
  }
  await sql`CLOSE exported`.execute(db);
}

/** Bytes become base64. PostgreSQL breaks it into lines. */
function valueFor(field: string, { values, hidden = [] }: ExportedTable, shape: TableShape, scope: ExportScope) {
  const written = values?.[field];
  const column = sql.ref(`t.${field}`);
  const isBytes = shape.columns.some(({ name, type }) => name === field && type === 'bytea');
  const value =
    written !== undefined
      ? sql.raw(written)
      : isBytes
        ? sql`translate(encode(${column}, 'base64'), E'\\n', '')`
        : column;
  const unless = hidden.find(({ fields }) => fields.includes(field))?.unless;
  return unless === undefined ? value : sql`CASE WHEN ${unless(scope)} THEN ${value} END`;
}
