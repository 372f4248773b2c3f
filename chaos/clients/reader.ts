/** A client that polls an event queue, and registers again only if the server says that the queue is gone. */
import type { Json } from '@heddle/server/testing/clients/json.ts';
import type { ReceivedEvent } from '../history/records.ts';
import { ask, type Clients, type Person, pause, RETRY_PAUSE_MS } from './scene.ts';

/** Reads until the signal. */
export async function read(clients: Clients, person: Person): Promise<void> {
  while (!clients.reading.aborted) {
    const { request, body } = await ask(clients, person, {
      method: 'POST',
      path: '/register',
      fields: { event_types: ['message'], apply_markdown: false },
    });
    const queue: string | undefined = body.queue_id;
    clients.recorder.add({
      kind: 'registration',
      client: person.name,
      ...request,
      ...(queue !== undefined && { queue }),
    });
    if (queue === undefined) await pause(clients, RETRY_PAUSE_MS);
    else await poll(clients, person, queue, body.last_event_id);
  }
}

/** Polls until the queue is gone. */
async function poll(clients: Clients, person: Person, queue: string, start: number): Promise<void> {
  let last = start;
  while (!clients.reading.aborted) {
    const fields = { queue_id: queue, last_event_id: last };
    const { request, body } = await ask(clients, person, { method: 'GET', path: '/events', fields });
    const events: readonly Json[] = body.events ?? [];
    const isGone = body.code === 'BAD_EVENT_QUEUE_ID';
    const received = events.filter(({ type }) => type !== 'heartbeat').map(eventIn);
    clients.recorder.add({
      kind: 'poll',
      client: person.name,
      ...request,
      queue,
      events: received,
      ...(isGone && { isGone }),
    });
    if (isGone) return;
    if (request.outcome !== 'acknowledged') await pause(clients, RETRY_PAUSE_MS);
    last = events.reduce((highest, { id }) => Math.max(highest, id), last);
  }
}

function eventIn({ id, type, message }: Json): ReceivedEvent {
  if (message === undefined) return { id, type };
  return { id, type, message: { id: message.id, channel: message.display_recipient, content: message.content } };
}
