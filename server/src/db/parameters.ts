import type { RawBuilder } from 'kysely';

/** A number, or SQL that gives one: a column, a parameter of a statement that stays the same. */
export type NumberInSql = number | RawBuilder<unknown>;

/**
 * A parameter as the database reads it. `pg` takes each item of a list through two regular expressions; of lists with thousands, which
 * many of our statements have, that is most of what a statement costs this process.
 */
export function parameterOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  let text = '';
  for (const item of value) {
    const written = itemOf(item);
    // Lists of lists, of bytes and of dates are left to `pg`.
    if (written === undefined) return value;
    text += text === '' ? written : `,${written}`;
  }
  return `{${text}}`;
}

/** In all, in characters: where writing a list as text, and reading it, takes longer than its bytes do. */
const LONG_TEXTS = 16 * 1024;
const TEXT_TYPE = 25;

/** The same of a list that the statement knows as `text[]`, whatever its length: long texts go as they are, without escapes that the database takes away again. */
export function textsParameter(texts: readonly string[]): unknown {
  let length = 0;
  for (const text of texts) length += text.length;
  return length < LONG_TEXTS ? parameterOf(texts) : binaryTexts(texts);
}

/** One dimension from 1 on, without nulls; each item after its length in bytes (PostgreSQL's `array_recv`). */
function binaryTexts(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const header = [1, 0, TEXT_TYPE, texts.length, 1];
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

/** Most texts have nothing to escape, and looking for one character is quick. */
function escaped(text: string, character: string, everywhere: RegExp): string {
  return text.includes(character) ? text.replace(everywhere, `\\${character}`) : text;
}
