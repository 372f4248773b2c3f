/** The eight properties of histories. */
import type { History } from '../history/records.ts';
import { shortest, type Violation } from '../history/violation.ts';
import { checkAccess } from './access.ts';
import { checkEventOrder } from './event-order.ts';
import { checkExactlyOnce } from './exactly-once.ts';
import { checkJobs } from './jobs.ts';
import { checkLiveness, type Limits } from './liveness.ts';
import { checkLogins } from './logins.ts';
import { checkRealTime } from './real-time.ts';
import { checkState } from './state.ts';

export interface Verdict {
  readonly property: string;
  /** The number of violations. */
  readonly count: number;
  /** The shortest one. */
  readonly violation: Violation | undefined;
}

/** Checks all properties,. */
export function checkAll(history: History, limits: Limits): readonly Verdict[] {
  const checks: readonly (readonly [string, readonly Violation[]])[] = [
    ['1 each message exactly once', checkExactlyOnce(history)],
    ['2 ids of events', checkEventOrder(history)],
    ['3 real time', checkRealTime(history)],
    ['4 register plus events', checkState(history)],
    ['5 access', checkAccess(history)],
    ['6 jobs', checkJobs(history)],
    ['7 liveness', checkLiveness(history, limits)],
    ['8 failed logins', checkLogins(history)],
  ];
  return checks.map(([property, violations]) => ({
    property,
    count: violations.length,
    violation: shortest(violations),
  }));
}
