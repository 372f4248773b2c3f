/** What a run prints at its end. */
import { type ClientRequest, type History, type HistoryRecord, isRequest, ofKind } from './history/records.ts';
import { faultsAround } from './history/violation.ts';
import type { Verdict } from './properties/properties.ts';
import { BUSY } from './stalls.ts';

/** The numbers of requests by kind and outcome, and the numbers of faults. */
export function summaryOf(history: History): string {
  const requests = Map.groupBy(history.filter(isRequest), nameOf);
  const lines = [...requests].map(([name, all]) => {
    const count = (outcome: string) => all.filter((each) => each.outcome === outcome).length;
    const parts = ['acknowledged', 'refused', 'unknown'].map((outcome) => `${count(outcome)} ${outcome}`);
    return `${name.padEnd(24)} ${parts.join(', ')}`;
  });
  const faults = ofKind(history, 'fault').filter(({ name }) => name !== BUSY);
  const listed = faults.map(({ name, begin, end }) => `${seconds(begin)} to ${seconds(end)}  ${name}`);
  const compared = ofKind(history, 'comparison').length;
  return [...lines, `${compared} comparisons of states`, '', `${faults.length} faults:`, ...listed].join('\n');
}

/** One line for each property, and the shortest history that breaks it. */
export function describeVerdicts(history: History, verdicts: readonly Verdict[]): string {
  return verdicts
    .flatMap(({ property, count, violation }) => {
      if (violation === undefined) return [`holds   ${property}`];
      const explained = [...faultsAround(history, violation.records), ...violation.records];
      return [
        `BROKEN  ${property}, ${count} times. The shortest history: ${violation.says}`,
        ...[...new Set(explained)].toSorted((a, b) => timeOf(a) - timeOf(b)).map((each) => `          ${lineOf(each)}`),
      ];
    })
    .join('\n');
}

function nameOf(request: ClientRequest): string {
  return request.kind === 'other' ? request.what : request.kind;
}

const timeOf = (each: HistoryRecord): number => ('begin' in each ? each.begin : Number.POSITIVE_INFINITY);
const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(3).padStart(9)} s`;

/** A record as a line: when, what, and the rest as JSON. */
function lineOf(record: HistoryRecord): string {
  const { kind, ...rest } = record;
  if (!('begin' in record)) return `at the end ${kind} ${JSON.stringify(rest)}`;
  const { begin, end, ...more } = rest as typeof record & Record<string, unknown>;
  return `${seconds(begin)} to ${seconds(end)}  ${kind} ${JSON.stringify(more)}`;
}
