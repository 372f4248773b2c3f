/**
 * Clients nest lists by two spaces a level, also under a number, where Markdown wants the width of `1. `. This moves
 * such items (and what belongs to them) to the column that the parser wants. Text in fences is left alone.
 */

const NUMBERED_ITEM = /^\d{1,9}\. /m;
const INDENTED = /^ {2,}\S/m;
const FENCE = /^(`{3,}|~{3,})/;
/** What ends an item's text also without a blank line before it. */
const INTERRUPTION = /^(?:>|#{1,6} )/;
const ITEM = /^( *)((?:[*+-]|\d{1,9}\.) +)\S/;

interface OpenItem {
  /** Column of the marker as written. */
  readonly written: number;
  /** Column of the marker, and of its text, as the parser will see them. */
  readonly column: number;
  readonly content: number;
}

export function alignNestedLists(source: string): string {
  if (!INDENTED.test(source) || !NUMBERED_ITEM.test(source)) return source;
  const lines: string[] = [];
  let open: OpenItem[] = [];
  let fence: string | undefined;
  let isAfterBlank = false;
  for (const line of source.split('\n')) {
    const marker = FENCE.exec(line)?.[1];
    if (marker !== undefined) {
      if (fence === undefined) fence = marker;
      else if (line.trimEnd() === fence) fence = undefined;
      open = [];
    }
    const item = fence === undefined ? ITEM.exec(line) : null;
    if (item) {
      const written = item[1]?.length ?? 0;
      open = open.filter((outer) => outer.written + 2 <= written);
      const parent = open.at(-1);
      // Four columns beyond the parent's text would be code, which a list item of a client's list never is.
      const column = parent ? parent.content : written;
      open.push({ written, column, content: column + (item[2]?.length ?? 0) });
      lines.push(' '.repeat(column) + line.slice(written));
      isAfterBlank = false;
      continue;
    }
    const indent = line.length - line.trimStart().length;
    const owner = open.findLast((outer) => outer.written + 2 <= indent);
    const isBlank = indent === line.length;
    // Without a blank line before it, a line at the margin goes on with the item's text.
    if (!isBlank && indent === 0 && (isAfterBlank || INTERRUPTION.test(line))) open = [];
    lines.push(owner && !isBlank ? ' '.repeat(owner.content) + line.trimStart() : line);
    isAfterBlank = isBlank;
  }
  return lines.join('\n');
}
