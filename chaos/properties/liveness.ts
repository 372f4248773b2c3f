/**
 * Every request ends within two seconds, requests succeed from two seconds after a fault on, and only a promotion with loss makes a client
 * register again.
 */
import { type ClientRequest, type Fault, type History, isRequest, mayBeLost, ofKind } from '../history/records.ts';
import type { Violation } from '../history/violation.ts';
import { queuesOf } from './queues.ts';

export interface Limits {
  /** How long a request may take. */
  readonly requestMs: number;
  /** The same for polls, which are held until there is an event or a heartbeat. */
  readonly pollMs: number;
  /** From then on after a fault, everything works. */
  readonly recoveryMs: number;
}

export function checkLiveness(history: History, limits: Limits): readonly Violation[] {
  const faults = ofKind(history, 'fault');
  const requests = history.filter(isRequest);
  return [
    ...requests.flatMap((request) => slowness(request, faults, limits)),
    ...requests.flatMap((request) => failure(request, faults, limits)),
    ...endedQueues(history),
  ];
}

const limitOf = ({ kind }: ClientRequest, limits: Limits) => (kind === 'poll' ? limits.pollMs : limits.requestMs);

/** A request that took too long at a host that could respond all the time. */
function slowness(request: ClientRequest, faults: readonly Fault[], limits: Limits): readonly Violation[] {
  const took = request.end - request.begin;
  if (took <= limitOf(request, limits)) return [];
  const isExcused = faults.some(
    ({ silent, begin, end }) =>
      silent.includes(request.at) && request.begin <= end + limits.recoveryMs && request.end >= begin,
  );
  if (isExcused) return [];
  return [
    {
      says: `a ${nameOf(request)} of ${request.client} at ${request.at} took ${Math.round(took)} ms`,
      records: [request],
    },
  ];
}

/** The requests in the quiet times, in which everything must work. */
export function quietRequests(history: History, limits: Limits): readonly ClientRequest[] {
  const faults = ofKind(history, 'fault');
  return history.filter(isRequest).filter((request) => isInQuiet(request, faults, limits));
}

function isInQuiet(request: ClientRequest, faults: readonly Fault[], limits: Limits): boolean {
  const latest = request.begin + limitOf(request, limits);
  return !faults.some(({ begin, end }) => request.begin <= end + limits.recoveryMs && latest >= begin);
}

/** A request that failed although no fault was near. */
function failure(request: ClientRequest, faults: readonly Fault[], limits: Limits): readonly Violation[] {
  const isFailure = request.outcome !== 'acknowledged' && (request.status === undefined || request.status >= 500);
  if (!isFailure || !isInQuiet(request, faults, limits)) return [];
  const before = faults.filter(({ end }) => end < request.begin).toSorted((a, b) => b.end - a.end)[0];
  const after =
    before === undefined ? 'without a fault' : `${Math.round(request.begin - before.end)} ms after the last fault`;
  const says = `a ${nameOf(request)} of ${request.client} at ${request.at} failed ${after} (${request.status ?? 'no response'})`;
  return [{ says, records: [...(before === undefined ? [] : [before]), request] }];
}

function endedQueues(history: History): readonly Violation[] {
  const gone = new Map(
    ofKind(history, 'poll').flatMap((poll) => (poll.isGone === true ? [[poll.queue, poll] as const] : [])),
  );
  return queuesOf(history).flatMap(({ registration }): readonly Violation[] => {
    const end = gone.get(registration.queue ?? '');
    if (end === undefined || mayBeLost(history, { begin: registration.begin, end: end.end })) return [];
    return [{ says: `the queue of ${end.client} ended, and nothing was lost`, records: [registration, end] }];
  });
}

function nameOf(request: ClientRequest): string {
  return request.kind === 'other' ? request.what : request.kind;
}
