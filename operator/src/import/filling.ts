/** Copies the rows of a source into the tables of a new organization, in batches. */
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Column, copyLine } from './copy-text.ts';
import { ATTACHED, ImportError, type ImportSource, type RowWithOthers, type SourceRow } from './source.ts';

/** Rows and bytes of a batch. A batch is one transaction. */
const MAX_ROWS_PER_BATCH = 2000;
const MAX_BYTES_PER_BATCH = 4 * 1024 * 1024;
/** A batch of files is smaller, because it stores them first. */
const MAX_FILES_PER_BATCH = 32;

export interface Filling {
  readonly client: pg.Client;
  readonly organizationId: number;
  readonly source: ImportSource;
  /** The rows of each table that an earlier run has copied. */
  readonly done: Readonly<Record<string, number>>;
  /** The columns of each table that an import writes, without `organization_id`. */
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  /** Returns the rows as this server stores them; some may be left out. It can store their files. */
  readonly adapt: (table: string, rows: readonly SourceRow[]) => Promise<Adapted>;
  readonly report: (progress: {
    readonly table: string;
    readonly rows: number;
    readonly of: number | undefined;
  }) => void;
  readonly countAttached: (table: string, rows: number) => void;
  readonly signal: AbortSignal;
}

export interface Adapted {
  readonly rows: readonly SourceRow[];
  /** Keys of files that the rows own from now on. */
  readonly keys?: readonly string[];
}

/** @returns the number of rows read, by table */
export async function fillTables(filling: Filling): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of filling.source.tables) {
    if (filling.columns.has(table)) counts[table] = await fillTable(filling, table);
  }
  return counts;
}

async function fillTable(filling: Filling, table: string): Promise<number> {
  const { source, done, report, signal } = filling;
  const skipped = done[table] ?? 0;
  const maxRows = table === 'attachments' ? MAX_FILES_PER_BATCH : MAX_ROWS_PER_BATCH;
  let count = skipped;
  let bytes = 0;
  let batch: SourceRow[] = [];
  const flush = async () => {
    if (batch.length > 0) await copyBatch(filling, table, batch, count);
    batch = [];
    bytes = 0;
    report({ table, rows: count, of: source.countOf(table) });
    signal.throwIfAborted();
  };
  for await (const row of source.rows(table, skipped)) {
    count += 1;
    batch.push(row);
    bytes += sizeOf(row);
    if (batch.length >= maxRows || bytes >= MAX_BYTES_PER_BATCH) await flush();
  }
  await flush();
  return count;
}

/** About the bytes of the texts of a row. */
function sizeOf(row: SourceRow): number {
  let bytes = 100;
  for (const value of Object.values(row)) if (typeof value === 'string') bytes += value.length;
  return bytes;
}

/** Writes a batch and the progress in one transaction, so an interrupted import knows which rows it has. */
async function copyBatch(filling: Filling, table: string, batch: readonly SourceRow[], through: number): Promise<void> {
  const { client, organizationId, adapt } = filling;
  const where = `${table}, rows ${through - batch.length + 1} to ${through}`;
  try {
    const { rows, keys = [] } = await adapt(table, batch);
    const columns = presentColumns(filling.columns.get(table) ?? [], rows);
    const lines = rows.map((row) => copyLine(columns, row));
    await client.query('BEGIN');
    if (keys.length > 0) await ownFiles(client, keys);
    if (lines.length > 0) await copyLines(client, table, columns, lines);
    for (const [other, attached] of attachedRows(rows)) {
      const own = presentColumns(filling.columns.get(other) ?? [], attached);
      await copyLines(
        client,
        other,
        own,
        attached.map((row) => copyLine(own, { ...row, organization_id: organizationId })),
      );
      filling.countAttached(other, attached.length);
    }
    await client.query(
      'UPDATE imports SET progress = progress || jsonb_build_object($2::text, $3::bigint) WHERE organization_id = $1',
      [organizationId, table, through],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw explained(error, where);
  }
}

function attachedRows(rows: readonly RowWithOthers[]): ReadonlyMap<string, readonly SourceRow[]> {
  const found = new Map<string, SourceRow[]>();
  for (const row of rows) {
    for (const [table, others] of Object.entries(row[ATTACHED] ?? {})) {
      const list = found.get(table);
      if (list === undefined) found.set(table, [...others]);
      else list.push(...others);
    }
  }
  return new Map([...found].filter(([, list]) => list.length > 0));
}

/** The columns that any of the rows has. PostgreSQL gives the others their defaults. */
function presentColumns(columns: readonly Column[], rows: readonly SourceRow[]): readonly Column[] {
  const present = new Set(rows.flatMap((row) => Object.keys(row)));
  return columns.filter(({ name }) => name === 'organization_id' || present.has(name));
}

async function ownFiles(client: pg.Client, keys: readonly string[]): Promise<void> {
  const { rowCount } = await client.query('DELETE FROM storage_leftovers WHERE key = ANY ($1::text[])', [keys]);
  if (rowCount !== keys.length)
    throw new ImportError('Storing the files took longer than a day. Run the command again.');
}

async function copyLines(
  client: pg.Client,
  table: string,
  columns: readonly Column[],
  lines: readonly string[],
): Promise<void> {
  const names = columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
  const target = client.query(copyFrom(`COPY ${pg.escapeIdentifier(table)} (${names}) FROM STDIN`));
  target.end(Buffer.from(lines.join('')));
  await finished(target);
}

/** The classes of PostgreSQL's errors that the data causes: bad values, and violated constraints. */
const OF_DATA = /^(?:22|23)/;

/** The error, or its reason in the archive. */
export function explained(error: unknown, where: string): unknown {
  if (error instanceof TypeError) return new ImportError(`The archive is not valid (${where}): ${error.message}.`);
  if (!(error instanceof pg.DatabaseError) || !OF_DATA.test(error.code ?? '')) return error;
  const detail = error.detail === undefined ? '' : ` ${error.detail.slice(0, 300)}`;
  return new ImportError(`The archive is not valid (${where}): ${error.message.slice(0, 300)}.${detail}`);
}
