/** A new message's position in its entry, from 1. The log writes the message's id in its place. Null stays null. */
export const MESSAGE_ID = 'message id';

/** The types of columns, with their values in TypeScript. */
interface ValueOf {
  readonly integer: number | null;
  readonly bigint: number | null;
  readonly smallint: number;
  readonly boolean: boolean;
  readonly text: string;
  readonly timestamptz: string;
  readonly bytea: Buffer;
  readonly [MESSAGE_ID]: number | null;
}

type Columns = Readonly<Record<string, keyof ValueOf>>;

export type RowOf<Of extends Columns> = { readonly [Name in keyof Of]: ValueOf[Of[Name]] };

/**
 * Describes rows of a table that the append statement writes together with the events. The log knows none of these
 * tables. The caller that appends rows describes them.
 *
 * @example
 * const messageFlags = {
 *   table: 'message_flags',
 *   columns: { user_id: 'integer', message_id: MESSAGE_ID, flags: 'smallint' },
 * } as const satisfies RowWriter;
 */
export interface RowWriter<Of extends Columns = Columns> {
  /** The append statement writes a table at most once, so two writers cannot share a table. */
  readonly table: string;
  readonly columns: Of;
  /**
   * Returns the statement that writes the rows. `$1` is the organization, and `rows` is an item for `FROM` with the name
   * `new`. Default: it inserts them.
   */
  readonly write?: (rows: string) => string;
}

/** A part of the append statement: writes the rows. The array of its first column is the parameter `$parameter`. */
export function textOf(writer: RowWriter, parameter: number): string {
  const columns = columnsOf(writer);
  const names = columns.map(([name]) => name).join(', ');
  const selected = columns.map(([name, type]) => (type === MESSAGE_ID ? `message_base + ${name} AS ${name}` : name));
  const arrays = columns.map(([, type], index) => `$${parameter + index}::${type === MESSAGE_ID ? 'integer' : type}[]`);
  const rows = `(SELECT ${selected.join(', ')} FROM taken, unnest(${arrays.join(', ')}) AS given (${names})) AS new`;
  const insert = `INSERT INTO ${writer.table} (organization_id, ${names}) SELECT $1, ${names} FROM ${rows}`;
  return `written_${writer.table} AS (${writer.write?.(rows) ?? insert})`;
}

type ColumnList = readonly (readonly [name: string, type: keyof ValueOf])[];

const columnsByWriter = new WeakMap<RowWriter, ColumnList>();

export function columnsOf(writer: RowWriter): ColumnList {
  let columns = columnsByWriter.get(writer);
  if (columns === undefined) {
    columns = Object.entries(writer.columns);
    columnsByWriter.set(writer, columns);
  }
  return columns;
}
