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
