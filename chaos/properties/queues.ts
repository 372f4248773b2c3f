import { epochAt, type History, mayBeLost, ofKind, type Poll, type Registration } from '../history/records.ts';

/** An event queue, with what its client received from it. */
export interface Queue {
  readonly registration: Registration;
  /** The acknowledged polls, in order. */
  readonly polls: readonly Poll[];
  /** Undefined if it was registered just when a promotion with loss began the next one. */
  readonly epoch: number | undefined;
}

/** The queues of a history whose registration was acknowledged. */
export function queuesOf(history: History): readonly Queue[] {
  const polls = Map.groupBy(
    ofKind(history, 'poll').filter(({ outcome }) => outcome === 'acknowledged'),
    ({ queue }) => queue,
  );
  return ofKind(history, 'registration').flatMap((registration) => {
    if (registration.queue === undefined) return [];
    const own = (polls.get(registration.queue) ?? []).toSorted((a, b) => a.begin - b.begin);
    const epoch = mayBeLost(history, registration) ? undefined : epochAt(history, registration.end);
    return [{ registration, polls: own, epoch }];
  });
}

/** The poll with only one of its events. */
export function withOnly(poll: Poll, eventId: number): Poll {
  return { ...poll, events: poll.events.filter(({ id }) => id === eventId).slice(0, 1) };
}

/** An event with the poll that returned it. */
export interface Reception {
  readonly poll: Poll;
  readonly eventId: number;
  readonly messageId: number;
}

/** Who received a message in which queue, by the content of the message. */
export function receptionsOf({ polls }: Queue): ReadonlyMap<string, readonly Reception[]> {
  const found = new Map<string, Reception[]>();
  for (const poll of polls)
    for (const { id, message } of poll.events) {
      if (message === undefined) continue;
      const reception = { poll, eventId: id, messageId: message.id };
      const others = found.get(message.content);
      if (others === undefined) found.set(message.content, [reception]);
      else others.push(reception);
    }
  return found;
}

/** The reception with the highest id of a message. A queue that received it has passed all earlier messages. */
export function lastReception(queue: Queue): Reception | undefined {
  let last: Reception | undefined;
  for (const poll of queue.polls)
    for (const { id, message } of poll.events)
      if (message !== undefined && message.id > (last?.messageId ?? 0))
        last = { poll, eventId: id, messageId: message.id };
  return last;
}
