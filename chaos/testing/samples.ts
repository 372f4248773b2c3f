/** Short records for the tests of properties. Times are in milliseconds. */
import type {
  AccessChange,
  Fault,
  Login,
  Loss,
  Message,
  OtherRequest,
  Planned,
  Poll,
  Read,
  Registration,
  Request,
  Send,
} from '../history/records.ts';

type More<Kind extends Request> = Partial<Omit<Kind, 'kind'>>;

/** A request from `begin` that took 10 ms. */
function requested(begin: number): Request {
  return { client: 'ada', at: 'one', begin, end: begin + 10, outcome: 'acknowledged', status: 200 };
}

export const message = (id: number, content = `message ${id}`): Message => ({ id, channel: 'loom', content });

/** An acknowledged send of `message(id)`. Both clients can read it. */
export function send(begin: number, id: number, more: More<Send> = {}): Send {
  return { kind: 'send', ...requested(begin), ...message(id), readers: ['ada', 'ben'], ...more };
}

/** A send without an id. */
export function unacknowledged(begin: number, id: number, outcome: 'refused' | 'unknown'): Send {
  const { id: _, ...rest } = send(begin, id);
  return { ...rest, outcome, status: 503 };
}

export function registration(begin: number, client: string, more: More<Registration> = {}): Registration {
  return { kind: 'registration', ...requested(begin), client, queue: `of ${client}`, ...more };
}

/** A poll of the client's queue that returned messages, each with the event of the same number. */
export function poll(begin: number, client: string, messages: readonly Message[], more: More<Poll> = {}): Poll {
  const events = messages.map((each) => ({ id: each.id, type: 'message', message: each }));
  return { kind: 'poll', ...requested(begin), client, queue: `of ${client}`, events, ...more };
}

export function read(begin: number, messages: readonly Message[], more: More<Read> = {}): Read {
  return { kind: 'read', ...requested(begin), channel: 'loom', messages, ...more };
}

/** The owner gives ben access to the channel, or takes it away. */
export function access(begin: number, grants: boolean, more: More<AccessChange> = {}): AccessChange {
  return { kind: 'access', ...requested(begin), client: 'owner', reader: 'ben', channel: 'loom', grants, ...more };
}

export function planned(job: Planned['job'], more: More<Planned> = {}): Planned {
  return { kind: 'planned', ...requested(0), job, name: 'later', ...more };
}

export function login(begin: number, status = 401): Login {
  return { kind: 'login', ...requested(begin), outcome: 'refused', status, account: 'ben' };
}

export function other(begin: number, more: More<OtherRequest> = {}): OtherRequest {
  return { kind: 'other', ...requested(begin), what: 'status', ...more };
}

export function fault(begin: number, end: number, more: Partial<Fault> = {}): Fault {
  return { kind: 'fault', name: 'kill -9 of one', silent: ['one'], begin, end, ...more };
}

export const loss = (begin: number, end: number): Loss => ({ kind: 'loss', begin, end });
