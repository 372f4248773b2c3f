/** A client with the model of the app, which its events keep up to date. Now and then it compares the model with a registration. */

import type { Json } from '@heddle/server/testing/clients/json.ts';
import { AS_AN_APP } from '@heddle/server/testing/clients/live-model.ts';
import { FollowedModel } from '../../client/testing/followed-model.ts';
import { ask, askOther, type Clients, type Person, pause, RETRY_PAUSE_MS } from './scene.ts';

const COMPARISON_INTERVAL_MS = 10_000;

/** Follows until the signal. */
export async function follow(clients: Clients, person: Person): Promise<void> {
  while (!clients.reading.aborted) {
    const state = await register(clients, person);
    if (state === undefined) await pause(clients, RETRY_PAUSE_MS);
    else await followQueue(clients, person, state);
  }
}

async function register(clients: Clients, person: Person): Promise<Json | undefined> {
  const { request, body } = await ask(clients, person, { method: 'POST', path: '/register', fields: AS_AN_APP });
  const queue: string | undefined = body.queue_id;
  const { name: client } = person;
  clients.recorder.add({ kind: 'registration', client, ...request, ...(queue !== undefined && { queue }) });
  return queue === undefined ? undefined : body;
}

/**
 * Follows until the queue is gone, or the model differs from the state. The generation of the server is the start of the process that was asked, so
 * it differs.
 */
async function followQueue(clients: Clients, person: Person, state: Json): Promise<void> {
  const { recorder } = clients;
  const followed = new FollowedModel(person.userId, state, { placeholders: true });
  let last: number = state.last_event_id;
  let due = recorder.now() + COMPARISON_INTERVAL_MS;
  /** A registration that the model is compared with when the events up to it have come. */
  let fresh: Json | undefined;
  let begin = 0;
  while (!clients.reading.aborted) {
    if (fresh === undefined && recorder.now() > due) {
      begin = recorder.now();
      fresh = await register(clients, person);
      due = recorder.now() + COMPARISON_INTERVAL_MS;
    }
    const events = await poll(clients, person, state.queue_id, last);
    if (events === 'gone') return;
    try {
      for (const event of events) {
        if (event.type !== 'heartbeat' && fresh !== undefined && event.id > fresh.last_event_id) {
          followed.compare({ ...fresh, server_generation: state.server_generation });
          recorder.add({ kind: 'comparison', client: person.name, begin, end: recorder.now() });
          const fields = { queue_id: fresh.queue_id };
          fresh = undefined;
          await askOther(clients, person, 'deletion of a queue', { method: 'DELETE', path: '/events', fields });
        }
        if (event.type !== 'heartbeat') followed.apply(event);
        last = Math.max(last, event.id);
      }
    } catch (error) {
      const difference = error instanceof Error ? error.message : String(error);
      recorder.add({ kind: 'comparison', client: person.name, begin, end: recorder.now(), difference });
      return;
    }
  }
}

async function poll(clients: Clients, person: Person, queue: string, last: number): Promise<readonly Json[] | 'gone'> {
  const fields = { queue_id: queue, last_event_id: last };
  const { request, body } = await ask(clients, person, { method: 'GET', path: '/events', fields });
  const isGone = body.code === 'BAD_EVENT_QUEUE_ID';
  clients.recorder.add({
    kind: 'poll',
    client: person.name,
    ...request,
    ...{ queue, events: [] },
    ...(isGone && { isGone }),
  });
  if (isGone) return 'gone';
  if (request.outcome !== 'acknowledged') await pause(clients, RETRY_PAUSE_MS);
  return body.events ?? [];
}
