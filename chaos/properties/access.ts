/** Nobody receives a message after the acknowledged end of the access, nor misses one after its begin. */
import { type AccessChange, epochAt, type History, mayBeLost, ofKind, type Send } from '../history/records.ts';
import type { Violation } from '../history/violation.ts';
import { lastReception, type Queue, queuesOf, receptionsOf, withOnly } from './queues.ts';

export function checkAccess(history: History): readonly Violation[] {
  const changes = ofKind(history, 'access').filter(({ outcome }) => outcome !== 'refused');
  const sends = ofKind(history, 'send');
  const queues = Map.groupBy(queuesOf(history), ({ registration }) => registration.client);
  const pairs = Map.groupBy(changes, ({ reader, channel }) => `${reader} ${channel}`);
  return [...pairs.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    // A promotion with loss can undo changes, and ends all queues.
    const isComparable = ({ end }: Send) => !mayBeLost(history, { begin: first.begin, end });
    const toChannel = sends.filter((send) => send.channel === first.channel && isComparable(send));
    return (queues.get(first.reader) ?? []).flatMap((queue) => {
      const inEpoch = toChannel.filter(({ begin }) => epochAt(history, begin) === queue.epoch);
      return inQueue(own, inEpoch, queue);
    });
  });
}

/** An unknown change can take effect at any later time. */
const latestEffect = ({ outcome, end }: AccessChange) => (outcome === 'unknown' ? Number.POSITIVE_INFINITY : end);

/** The last acknowledged change before the send, if no other change can have had an effect between it and the end of the send. */
function stateAt(changes: readonly AccessChange[], send: Send): AccessChange | undefined {
  const last = changes.findLast(({ outcome, end }) => outcome === 'acknowledged' && end <= send.begin);
  if (last === undefined) return undefined;
  const isUncertain = changes.some(
    (change) => change !== last && latestEffect(change) > last.begin && change.begin < send.end,
  );
  return isUncertain ? undefined : last;
}

function inQueue(changes: readonly AccessChange[], sends: readonly Send[], queue: Queue): readonly Violation[] {
  const receptions = receptionsOf(queue);
  const last = lastReception(queue);
  const { registration } = queue;
  return sends.flatMap((send): readonly Violation[] => {
    const change = stateAt(changes, send);
    if (change === undefined) return [];
    const [received] = receptions.get(send.content) ?? [];
    const name = `${change.reader} ${change.grants ? 'missed' : 'received'} "${send.content}" after the`;
    if (!change.grants) {
      if (received === undefined) return [];
      const poll = withOnly(received.poll, received.eventId);
      return [{ says: `${name} end of the access`, records: [change, send, registration, poll] }];
    }
    const isExpected = send.outcome === 'acknowledged' && send.begin >= registration.end;
    if (!isExpected || received !== undefined || last === undefined || last.messageId <= (send.id ?? 0)) return [];
    const records = [change, send, registration, withOnly(last.poll, last.eventId)];
    return [{ says: `${name} begin of the access`, records }];
  });
}
