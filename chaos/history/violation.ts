import type { History, HistoryRecord } from './records.ts';

/** A part of a history that breaks a property. It breaks the property also without the rest of the history. */
export interface Violation {
  /** What is wrong, as a sentence. */
  readonly says: string;
  readonly records: History;
}

/** Finds what breaks a property. */
export type Check = (history: History) => readonly Violation[];

/** The violation that is easiest to understand: with the fewest records, of the shortest time. */
export function shortest(violations: readonly Violation[]): Violation | undefined {
  return violations.toSorted(
    (a, b) => a.records.length - b.records.length || durationOf(a.records) - durationOf(b.records),
  )[0];
}

function durationOf(records: History): number {
  const times = records.flatMap((each) => ('begin' in each ? [each.begin, each.end] : []));
  return times.length === 0 ? 0 : Math.max(...times) - Math.min(...times);
}

/** The faults at the time of these records, which explain them. */
export function faultsAround(history: History, records: History): readonly HistoryRecord[] {
  const spans = records.filter((each) => 'begin' in each);
  const [from, to] = [Math.min(...spans.map(({ begin }) => begin)), Math.max(...spans.map(({ end }) => end))];
  return history.filter(
    (each) => (each.kind === 'fault' || each.kind === 'loss') && each.begin <= to && each.end >= from,
  );
}
