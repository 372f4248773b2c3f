/**
 * A send that ended before another began has the smaller id. A client that saw a message finds it in each later request, at any process.
 */
import { type History, type Message, mayBeLost, ofKind, type Poll, type Read, type Send } from '../history/records.ts';
import type { Violation } from '../history/violation.ts';

export function checkRealTime(history: History): readonly Violation[] {
  return [...ordersOfSends(history), ...vanishedMessages(history)];
}

function ordersOfSends(history: History): readonly Violation[] {
  const hasLoss = ofKind(history, 'loss').length > 0;
  const sends = ofKind(history, 'send').filter(
    (send): send is Send & { readonly id: number } => send.id !== undefined && !(hasLoss && mayBeLost(history, send)),
  );
  const byEnd = sends.toSorted((a, b) => a.end - b.end);
  const found: Violation[] = [];
  let highest: (typeof sends)[number] | undefined;
  let ended = 0;
  for (const send of sends.toSorted((a, b) => a.begin - b.begin)) {
    for (let next = byEnd[ended]; next !== undefined && next.end < send.begin; next = byEnd[++ended])
      if (next.id > (highest?.id ?? 0)) highest = next;
    if (highest === undefined || highest.id < send.id) continue;
    const says = `message ${send.id} was sent after message ${highest.id} was acknowledged`;
    found.push({ says, records: [highest, send] });
  }
  return found;
}

interface Sighting {
  readonly time: number;
  readonly message: Message;
  /** The request that returned the message, without its other results. */
  readonly request: Send | Read | Poll;
}

function vanishedMessages(history: History): readonly Violation[] {
  const hasLoss = ofKind(history, 'loss').length > 0;
  const sightings = sightingsIn(history);
  return ofKind(history, 'read').flatMap((read) => {
    const [oldest] = read.messages;
    if (oldest === undefined) return [];
    const ids = new Set(read.messages.map(({ id }) => id));
    const isMissing = ({ time, message, request }: Sighting) =>
      time < read.begin &&
      message.channel === read.channel &&
      message.id > oldest.id &&
      !ids.has(message.id) &&
      !(hasLoss && mayBeLost(history, request));
    const missing = sightings.get(read.client)?.find(isMissing);
    if (missing === undefined) return [];
    const { message, request } = missing;
    const says = `${read.client} saw message ${message.id} at ${request.at}, and did not find it later at ${read.at}`;
    return [{ says, records: [request, { ...read, messages: [oldest] }] }];
  });
}

/** When each client first saw each message. */
function sightingsIn(history: History): ReadonlyMap<string, readonly Sighting[]> {
  const first = new Map<string, Map<number, Sighting>>();
  const add = (message: Message, request: Send | Read | Poll) => {
    const own = first.get(request.client) ?? new Map<number, Sighting>();
    first.set(request.client, own);
    if ((own.get(message.id)?.time ?? Number.POSITIVE_INFINITY) > request.end)
      own.set(message.id, { time: request.end, message, request });
  };
  for (const send of ofKind(history, 'send')) {
    const { id, channel, content } = send;
    if (id !== undefined) add({ id, channel, content }, send);
  }
  for (const read of ofKind(history, 'read'))
    for (const message of read.messages) add(message, { ...read, messages: [message] });
  for (const poll of ofKind(history, 'poll'))
    for (const event of poll.events) if (event.message !== undefined) add(event.message, { ...poll, events: [event] });
  return new Map([...first].map(([client, own]) => [client, [...own.values()]]));
}
