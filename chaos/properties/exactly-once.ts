/** Acknowledged sends appear exactly once in the history and in each queue that lived; refused ones never; unknown ones at most once. */
import { epochAt, type History, type Message, mayBeLost, ofKind, type Send, type Stored } from '../history/records.ts';
import type { Violation } from '../history/violation.ts';
import { lastReception, type Queue, queuesOf, receptionsOf, withOnly } from './queues.ts';

export function checkExactlyOnce(history: History): readonly Violation[] {
  const sends = ofKind(history, 'send');
  const losses = ofKind(history, 'loss');
  const isLost = (send: Send) => losses.length > 0 && mayBeLost(history, send);
  // A promotion with loss ends all queues.
  const isOfOther = ({ epoch }: Queue, { begin }: Send) => epoch !== epochAt(history, begin);
  return [
    ...ofKind(history, 'stored').flatMap((stored) => inHistory(sends, stored, isLost)),
    ...queuesOf(history).flatMap((queue) => inQueue(sends, queue, (send) => isLost(send) || isOfOther(queue, send))),
  ];
}

type IsLost = (send: Send) => boolean;

function inHistory(sends: readonly Send[], stored: Stored, isLost: IsLost): readonly Violation[] {
  const byContent = Map.groupBy(stored.messages, ({ content }) => content);
  return sends.flatMap((send): readonly Violation[] => {
    const found: readonly Message[] = byContent.get(send.content) ?? [];
    const says = problemIn(send, found, isLost);
    if (says === undefined) return [];
    return [{ says: `${says} at ${stored.at}`, records: [send, { ...stored, messages: found }] }];
  });
}

function problemIn(send: Send, found: readonly Message[], isLost: IsLost): string | undefined {
  const name = `the ${send.outcome} message "${send.content}"`;
  if (found.length > 1) return `${name} is stored ${found.length} times`;
  if (send.outcome === 'refused' && found.length > 0) return `${name} is stored`;
  if (send.outcome !== 'acknowledged' || isLost(send)) return undefined;
  if (found.length === 0) return `${name} is not stored`;
  return found[0]?.id === send.id ? undefined : `${name} has the id ${found[0]?.id} instead of ${send.id}`;
}

function inQueue(sends: readonly Send[], queue: Queue, isLost: IsLost): readonly Violation[] {
  const receptions = receptionsOf(queue);
  const last = lastReception(queue);
  const { registration } = queue;
  return sends.flatMap((send): readonly Violation[] => {
    const received = receptions.get(send.content) ?? [];
    const polls = received.map(({ poll, eventId }) => withOnly(poll, eventId));
    const name = `the ${send.outcome} message "${send.content}"`;
    const to = `the queue of ${registration.client}`;
    if (received.length > 1)
      return [{ says: `${name} came ${received.length} times to ${to}`, records: [send, registration, ...polls] }];
    if (send.outcome === 'refused' && received.length > 0)
      return [{ says: `${name} came to ${to}`, records: [send, registration, ...polls] }];
    const isExpected =
      send.outcome === 'acknowledged' &&
      send.begin >= registration.end &&
      send.readers.includes(registration.client) &&
      !isLost(send);
    if (!isExpected || received.length > 0 || last === undefined || last.messageId <= (send.id ?? 0)) return [];
    return [
      {
        says: `${name} did not come to ${to}, which received a later message`,
        records: [send, registration, withOnly(last.poll, last.eventId)],
      },
    ];
  });
}
