/**
 * Clients indent nested lists by two spaces, also under a number, where Markdown requires the width of `1. `. This moves such items, with
 * their content, to the column that the parser requires. All lines of a fence move by the same number of columns.
 */

const NUMBERED_ITEM = /^ *\d{1,9}\. /m;
const INDENTED = /^ {2,}\S/m;
const FENCE = /^ *(?:(`{3,})[^`]*$|(~{3,}))/;
/** What ends an item's text without a blank line before it. */
const INTERRUPTION = /^(?:>|#{1,6} )/;
const ITEM = /^( *)((?:[*+-]|\d{1,9}\.) +)\S/;

interface OpenItem {
  /** Column of the marker as written. */
  readonly written: number;
  /** Column of the marker, and of its text, as the parser will see them. */
  readonly column: number;
  readonly content: number;
}

/** A fence. Its lines move together, so that its content keeps its shape. */
interface OpenFence {
  readonly marker: string;
  readonly indent: number;
  readonly shift: number;
}

export function alignNestedLists(source: string): string {
  if (!INDENTED.test(source) || !NUMBERED_ITEM.test(source)) return source;
  const lines: string[] = [];
  let open: OpenItem[] = [];
  let fence: OpenFence | undefined;
  let isAfterBlank = false;
  for (const line of source.split('\n')) {
    const indent = line.length - line.trimStart().length;
    const isBlank = indent === line.length;
    if (fence && !isBlank && indent < fence.indent) fence = undefined;
    const opening = FENCE.exec(line);
    const marker = opening?.[1] ?? opening?.[2];
    if (fence) {
      lines.push(isBlank ? line : ' '.repeat(fence.shift) + line);
      if (line.trim() === fence.marker) fence = undefined;
      isAfterBlank = false;
      continue;
    }
    const item = ITEM.exec(line);
    if (item) {
      const written = item[1]?.length ?? 0;
      open = open.filter((outer) => outer.written + 2 <= written);
      const parent = open.at(-1);
      // Four columns beyond the parent's text would make it code.
      const column = parent ? parent.content : written;
      open.push({ written, column, content: column + (item[2]?.length ?? 0) });
      lines.push(' '.repeat(column) + line.slice(written));
      isAfterBlank = false;
      continue;
    }
    const owner = open.findLast((outer) => outer.written + 2 <= indent);
    const shift = owner && !isBlank ? Math.max(0, owner.content - indent) : 0;
    // Without a blank line before it, a line at the margin continues the item's text.
    const endsItems = isAfterBlank || marker !== undefined || INTERRUPTION.test(line);
    if (!isBlank && indent === 0 && endsItems) open = [];
    lines.push(' '.repeat(shift) + line);
    if (marker !== undefined) fence = { marker, indent, shift };
    isAfterBlank = isBlank;
  }
  return lines.join('\n');
}
