/** Ids of events have no gaps and no repetitions, and the same event has the same id for every reader of an epoch. */
import { type History, ofKind, type Poll, type ReceivedEvent, type Registration } from '../history/records.ts';
import type { Violation } from '../history/violation.ts';
import { type Queue, queuesOf, withOnly } from './queues.ts';

export function checkEventOrder(history: History): readonly Violation[] {
  const queues = queuesOf(history);
  return [...gapsIn(history), ...queues.flatMap(disorderIn), ...disagreements(queues)];
}

function gapsIn(history: History): readonly Violation[] {
  return ofKind(history, 'logged').flatMap(({ ids }) =>
    ids.flatMap((id, index): readonly Violation[] => {
      const before = ids[index - 1];
      if (before === undefined || id === before + 1) return [];
      return [
        { says: `event ${id} follows event ${before} in the log`, records: [{ kind: 'logged', ids: [before, id] }] },
      ];
    }),
  );
}

function disorderIn({ registration, polls }: Queue): readonly Violation[] {
  const found: Violation[] = [];
  let last: { readonly id: number; readonly poll: Poll } | undefined;
  for (const poll of polls)
    for (const { id } of poll.events) {
      if (last !== undefined && id <= last.id) {
        const records = [registration, withOnly(last.poll, last.id), withOnly(poll, id)];
        found.push({ says: `${registration.client} received event ${id} after event ${last.id}`, records });
      }
      last = { id, poll };
    }
  return found;
}

interface Seen {
  readonly registration: Registration;
  readonly poll: Poll;
  readonly event: ReceivedEvent;
}

function disagreements(queues: readonly Queue[]): readonly Violation[] {
  const first = new Map<string, Seen>();
  const found: Violation[] = [];
  for (const { registration, polls, epoch } of queues) {
    if (epoch === undefined) continue;
    for (const poll of polls)
      for (const event of poll.events) {
        const key = `${epoch}:${event.id}`;
        const seen = first.get(key);
        if (seen === undefined) first.set(key, { registration, poll, event });
        else if (!isSame(seen.event, event)) {
          const says = `event ${event.id} is ${nameOf(seen.event)} for ${seen.poll.client}, and ${nameOf(event)} for ${poll.client}`;
          const records = [seen.registration, withOnly(seen.poll, event.id), registration, withOnly(poll, event.id)];
          found.push({ says, records });
        }
      }
  }
  return found;
}

/** Readers can get different presentations of other events. */
function isSame(a: ReceivedEvent, b: ReceivedEvent): boolean {
  return a.message?.id === b.message?.id && a.message?.content === b.message?.content;
}

function nameOf({ type, message }: ReceivedEvent): string {
  return message === undefined ? `of the type ${type}` : `message ${message.id} "${message.content}"`;
}
