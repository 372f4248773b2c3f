/**
 * Marks stand for the values of a text while the library formats it. It reads escapes such as `\x41` in its result, and HTML has elements. Values
 * must be read as neither, so they replace their marks afterwards.
 */

/** A formatted text with marks, and the values in the order of the codes of their marks. */
export interface Marked<Value> {
  readonly text: string;
  readonly shown: readonly Value[];
}

/** Characters of the private use area. */
const FIRST_MARK_CODE = 0xe000;
const MARK = /([\ue000-\ue0ff])/;

/** Formats with a mark instead of each value. Numbers stay, because their form depends on the language. */
export function withMarks<Value>(
  values: Readonly<Record<string, Value | number>>,
  format: (values: Readonly<Record<string, string | number>>) => string,
): Marked<Value> {
  const shown: Value[] = [];
  const marks = Object.entries(values).map(([name, value]): [string, string | number] => {
    if (typeof value === 'number') return [name, value];
    shown.push(value);
    return [name, String.fromCharCode(FIRST_MARK_CODE + shown.length - 1)];
  });
  return { text: format(Object.fromEntries(marks)), shown };
}

/** The pieces of a text, with the values instead of their marks. */
export function withValues<Value>({ text, shown }: Marked<Value>): readonly (string | Value | undefined)[] {
  return text.split(MARK).map((piece) => (MARK.test(piece) ? shown[piece.charCodeAt(0) - FIRST_MARK_CODE] : piece));
}
