import type { ServerResponse } from 'node:http';
import { answer, floorSettings, readBody, serveFloor } from './floor-server.ts';

// `fanout`: responds to all waiting polls with the bytes of one event. All clients are the same, all data is in memory, and there are no
// checks.

export interface FanoutFloorSettings {
  /** An event of Heddle as JSON. The floor replaces `content` and `id`. */
  readonly sampleEvent: string;
}

interface SampleEvent {
  message: { content: string };
  id: number;
}

const { sampleEvent } = floorSettings<FanoutFloorSettings>();
/** Events as text. The ID of an event is its index plus one. */
const log: string[] = [];
let held: { response: ServerResponse; after: number }[] = [];
/** Responses by last event ID, until the log grows. All clients share them. */
const answers = new Map<number, Buffer>();
const QUEUE = '"queue_id":"fb67bf8a-c031-47cc-84cf-ed80accacda8"';

serveFloor(async (request, response) => {
  const url = request.url ?? '';
  if (url.startsWith('/api/v1/events')) {
    const after = Number(/last_event_id=(-?\d+)/.exec(url)?.[1]);
    if (after < log.length) deliver(response, after);
    else held.push({ response, after });
    return;
  }
  const body = await readBody(request);
  if (url.startsWith('/api/v1/register')) {
    answer(response, `{"result":"success","msg":"",${QUEUE},"last_event_id":${log.length}}`);
    return;
  }
  answers.clear();
  log.push(eventText(new URLSearchParams(body).get('content') ?? ''));
  answer(response, `{"result":"success","msg":"","id":${log.length}}`);
  const waiting = held;
  held = [];
  for (const poll of waiting) deliver(poll.response, poll.after);
});

function eventText(content: string): string {
  const event = JSON.parse(sampleEvent) as SampleEvent;
  event.message.content = `<p>${content}</p>`;
  event.id = log.length + 1;
  return JSON.stringify(event);
}

function deliver(response: ServerResponse, after: number): void {
  let body = answers.get(after);
  if (body === undefined) {
    body = Buffer.from(`{"result":"success","msg":"","events":[${log.slice(after).join(',')}],${QUEUE}}`);
    answers.set(after, body);
  }
  answer(response, body);
}
