/** Rows in the text format of PostgreSQL's COPY. */
import type { SourceRow } from './source.ts';

export interface Column {
  readonly name: string;
  /** As PostgreSQL names it: `integer[]`. */
  readonly type: string;
}

/** @throws TypeError a value does not fit its column */
export function copyLine(columns: readonly Column[], row: SourceRow): string {
  return `${columns.map((column) => copyValue(column, row[column.name])).join('\t')}\n`;
}

function copyValue({ name, type }: Column, value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (type === 'jsonb' || type === 'json') return escaped(storableJson(value));
  if (Array.isArray(value)) {
    if (!type.endsWith('[]')) throw new TypeError(`${name} is a list`);
    return escaped(`{${value.map((item) => element(name, item)).join(',')}}`);
  }
  if (type === 'bytea') {
    const bytes = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(textOf(name, value), 'base64');
    return `\\\\x${bytes.toString('hex')}`;
  }
  return escaped(textOf(name, value));
}

/** PostgreSQL stores no NUL characters and no halves of characters in JSON. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, storable);
}

function storable(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value;
}

function element(name: string, item: unknown): string {
  if (item === null) return 'NULL';
  return `"${textOf(name, item).replaceAll(/["\\]/g, '\\$&')}"`;
}

function textOf(name: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new TypeError(`${name} is an object`);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** PostgreSQL stores no NUL characters. */
function escaped(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '');
}
