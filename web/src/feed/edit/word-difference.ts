/** A part of two texts: in both, only in the new one, or only in the old one. */
export interface DifferencePart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** The most comparisons of words. Longer changes are shown as a whole. */
const MAX_COMPARISONS = 4_000_000;

/** What changed from one text to the other, by words. */
export function wordDifference(before: string, after: string): readonly DifferencePart[] {
  const old = wordsOf(before);
  const now = wordsOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const middle = compare(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return merged([
    { kind: 'same', text: old.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: old.slice(old.length - end).join('') },
  ]);
}

/** Words, the spaces between them, and single other characters. Joined, they are the text again. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? [];
}

/** The longest common subsequence, with a table of its lengths. */
function compare(old: readonly string[], now: readonly string[]): readonly DifferencePart[] {
  if (old.length * now.length > MAX_COMPARISONS) {
    return [
      { kind: 'removed', text: old.join('') },
      { kind: 'added', text: now.join('') },
    ];
  }
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const parts: DifferencePart[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [before, after] = [old[row], now[column]];
    if (before !== undefined && before === after) {
      parts.push({ kind: 'same', text: before });
      row += 1;
      column += 1;
    } else if (after === undefined || (before !== undefined && at(row + 1, column) >= at(row, column + 1))) {
      parts.push({ kind: 'removed', text: before ?? '' });
      row += 1;
    } else {
      parts.push({ kind: 'added', text: after });
      column += 1;
    }
  }
  return parts;
}

/** Joins neighbours of one kind, and leaves out empty parts. */
function merged(parts: readonly DifferencePart[]): readonly DifferencePart[] {
  const result: DifferencePart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.text === '') continue;
    if (last?.kind === part.kind) result[result.length - 1] = { kind: part.kind, text: last.text + part.text };
    else result.push(part);
  }
  return result;
}
