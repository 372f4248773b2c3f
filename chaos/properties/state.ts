/** The state of a client after its events equals that of a registration now, for every key. */
import { type History, ofKind } from '../history/records.ts';
import type { Violation } from '../history/violation.ts';

export function checkState(history: History): readonly Violation[] {
  return ofKind(history, 'comparison').flatMap((comparison): readonly Violation[] => {
    if (comparison.difference === undefined) return [];
    const says = `the state of ${comparison.client} after its events is not that of a registration`;
    return [{ says, records: [comparison] }];
  });
}
