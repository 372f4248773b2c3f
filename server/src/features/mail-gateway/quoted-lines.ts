/** Lines of a mail that begin with `>` become quotes of our markup, which hold nothing else. */

const MARKS = /^(?:> ?)+/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Ends each quote with a blank line. Without one, the markup takes the answer below for the rest of the quoted paragraph. In the same way, a
 * quote in a quote ends with an empty line of the outer one. Code in fences stays as it is.
 */
export function withClosedQuotes(text: string): string {
  const lines: string[] = [];
  let depth = 0;
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const marks = fence === undefined ? (MARKS.exec(line)?.[0] ?? '') : '';
    const own = depthOf(marks);
    const isEmpty = line.slice(marks.length).trim() === '';
    if (own < depth && !isEmpty) lines.push('>'.repeat(own));
    depth = own;
    lines.push(line);
    if (own === 0) fence = fenceAfter(line, fence);
  }
  return lines.join('\n');
}

function depthOf(marks: string): number {
  return marks.replaceAll(' ', '').length;
}

/** The fence that is open after the line, if one is. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, found] = FENCE.exec(line) ?? [];
  if (found === undefined) return open;
  if (open === undefined) return found;
  return found[0] === open[0] && found.length >= open.length ? undefined : open;
}
