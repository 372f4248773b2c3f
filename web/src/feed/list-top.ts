import type { Place } from '@heddle/client/model/messages/places.ts';
import type { Row } from './rows.ts';

type PlaceRow = Extract<Row, { kind: 'place' }>;

/** What a list of several conversations knows of the bar at its top. The bar writes it, and the rest of the list reads it. */
export interface ListTop {
  /** How much of the list the bar covers, in pixels. */
  covered: number;
  /** The conversation that the user reads there. */
  place: Place | undefined;
}

/** The end and start of a row, in pixels from the beginning of the list. */
interface Measured {
  readonly start: number;
  readonly end: number;
}

export interface Section {
  /** The bar of the conversation at the top. */
  readonly row: PlaceRow;
  /** The bar itself is scrolled away. */
  readonly isAway: boolean;
  /** How far the next bar pushes this one away, in pixels: 0 or less. */
  readonly push: number;
}

/** The conversation at the top of the list. A row of a place has space above its bar, which is `height` pixels high. */
export function sectionAt(
  rows: readonly Row[],
  measured: readonly Measured[],
  top: number,
  height: number,
): Section | undefined {
  const first = firstBelow(measured, top);
  let index = first;
  /** The beginning of the next day, which has its place a little below. */
  let date: number | undefined;
  for (; index >= 0 && rows[index]?.kind !== 'place'; index -= 1) if (rows[index]?.kind === 'date') date = index;
  // Above the first bar, its conversation is the one.
  if (index < 0) index = rows.findIndex(({ kind }, at) => at > first && kind === 'place');
  const row = rows[index];
  if (row?.kind !== 'place') return undefined;
  const barStart = (at: number) => (measured[at]?.end ?? Number.POSITIVE_INFINITY) - height;
  const startOf = (at: number) => measured[at]?.start ?? Number.POSITIVE_INFINITY;
  let next = date !== undefined && date > index ? date : Math.max(index, first) + 1;
  // A row that begins below the bar does not push it.
  while (startOf(next) < top + height && !isBoundary(rows[next])) next += 1;
  const limit = rows[next]?.kind === 'place' ? barStart(next) : startOf(next);
  return { row, isAway: barStart(index) < top - 1, push: Math.min(0, limit - top - height) };
}

function isBoundary(row: Row | undefined): boolean {
  return row?.kind === 'place' || row?.kind === 'date';
}

/** The first row whose end is below `top`. */
function firstBelow(measured: readonly Measured[], top: number): number {
  let [low, high] = [0, measured.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((measured[middle]?.end ?? 0) > top) high = middle;
    else low = middle + 1;
  }
  return low;
}
