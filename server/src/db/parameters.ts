import type { RawBuilder } from 'kysely';

/** A number, or SQL that yields one: a column, or a parameter of a statement with a fixed text. */
export type NumberInSql = number | RawBuilder<unknown>;

/**
 * Formats a parameter for PostgreSQL. `pg` itself runs two regular expressions per list item. For lists with thousands
 * of items, that would be most of a statement's cost in this process.
 */
export function parameterOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  let text = '';
  for (const item of value) {
    const written = itemOf(item);
    // `pg` formats lists of lists, bytes and dates.
    if (written === undefined) return value;
    text += text === '' ? written : `,${written}`;
  }
  return `{${text}}`;
}

/** The total length in characters from which the binary format is faster than text. */
const LONG_TEXTS_CHARACTERS = 16 * 1024;
const TEXT_TYPE_ID = 25;

/** The same for a `text[]` parameter of any length. Long texts are sent in binary, without escaping. */
export function textsParameter(texts: readonly string[]): unknown {
  let length = 0;
  for (const text of texts) length += text.length;
  return length < LONG_TEXTS_CHARACTERS ? parameterOf(texts) : binaryTexts(texts);
}

/**
 * An array with one dimension, lower bound 1 and no nulls. The length in bytes precedes each item (PostgreSQL's
 * `array_recv`).
 */
function binaryTexts(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const header = [1, 0, TEXT_TYPE_ID, texts.length, 1];
  const size = 4 * (header.length + lengths.length) + lengths.reduce((sum, length) => sum + length, 0);
  const bytes = Buffer.allocUnsafe(size);
  let end = 0;
  for (const number of header) end = bytes.writeInt32BE(number, end);
  for (const [index, text] of texts.entries()) {
    end = bytes.writeInt32BE(lengths[index] ?? 0, end);
    end += bytes.write(text, end);
  }
  return bytes;
}

function itemOf(item: unknown): string | undefined {
  switch (typeof item) {
    case 'number':
    case 'boolean':
      return String(item);
    case 'string':
      return `"${escaped(escaped(item, '\\', /\\/g), '"', /"/g)}"`;
    case 'undefined':
      return 'NULL';
    default:
      return item === null ? 'NULL' : undefined;
  }
}

/** Most texts need no escaping, and searching for one character is fast. */
function escaped(text: string, character: string, everywhere: RegExp): string {
  return text.includes(character) ? text.replace(everywhere, `\\${character}`) : text;
}
