/**
 * Planned work happens once, or at most twice where a process died during the delivery or a promotion lost its end. Refused work never happens.
 */
import { type Done, type History, mayBeLost, ofKind, type Planned } from '../history/records.ts';
import type { Violation } from '../history/violation.ts';

export function checkJobs(history: History): readonly Violation[] {
  const done = new Map(ofKind(history, 'done').map((each) => [each.name, each]));
  return ofKind(history, 'planned').flatMap((planned): readonly Violation[] => {
    const found = done.get(planned.name);
    if (found === undefined) return [];
    const deaths = history.filter(
      (each) => (each.kind === 'loss' || (each.kind === 'fault' && each.kills === true)) && each.end > planned.begin,
    );
    const problem = problemWith(planned, found, deaths.length > 0, mayBeLost(history, planned));
    if (problem === undefined) return [];
    return [
      {
        says: `the ${planned.outcome} ${planned.job} "${planned.name}" ${problem}`,
        records: [planned, found, ...deaths.slice(0, 1)],
      },
    ];
  });
}

function problemWith(
  { outcome, job }: Planned,
  { times }: Done,
  hasDied: boolean,
  isLost: boolean,
): string | undefined {
  // The message and the end of its plan commit together. A mail leaves the database.
  const most = outcome === 'refused' ? 0 : job === 'mail' && hasDied ? 2 : 1;
  if (times > most) return `happened ${times} times`;
  return outcome === 'acknowledged' && times === 0 && !isLost ? 'did not happen' : undefined;
}
