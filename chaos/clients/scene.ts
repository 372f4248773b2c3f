import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from '@heddle/server/testing/faults/stubborn-clients.ts';
import type { Random } from '@heddle/server/testing/random/random.ts';
import type { Recorder } from '../history/recorder.ts';
import { type Answer, type Call, call, type Place } from './calls.ts';

/** A person with an account. */
export interface Person extends Account {
  readonly name: string;
}

/** What all clients share. */
export interface Clients {
  readonly recorder: Recorder;
  readonly random: Random;
  /** The balancer and the processes. */
  readonly places: readonly Place[];
  /** The channels that all can read, by name. */
  readonly channels: ReadonlyMap<string, number>;
  /** The names of all who can read them. */
  readonly readers: readonly string[];
  /** Aborted when senders shall end. */
  readonly sending: AbortSignal;
  /** Aborted when readers shall end. */
  readonly reading: AbortSignal;
}

/** A client often uses the balancer, and sometimes any process directly. */
const BALANCER_RATIO = 0.5;

/** The pause before a retry. */
export const RETRY_PAUSE_MS = 150;

export function anyPlace({ places, random }: Clients): Place {
  const [balancer, ...others] = places;
  const place = random.below(1) < BALANCER_RATIO ? balancer : random.pick(others);
  if (place === undefined) throw new Error('there is no server');
  return place;
}

/** Requests at any place. */
export function ask(clients: Clients, person: Person | undefined, request: Call): Promise<Answer> {
  return call(clients.recorder, anyPlace(clients), person, request);
}

/** Requests at any place, and records it as a request without meaning for others. */
export async function askOther(clients: Clients, person: Person, what: string, request: Call): Promise<Answer> {
  const answer = await ask(clients, person, request);
  clients.recorder.add({ kind: 'other', client: person.name, what, ...answer.request });
  return answer;
}

/** Pauses for about this time. */
export async function pause({ random }: Clients, milliseconds: number): Promise<void> {
  await delay(milliseconds / 2 + random.below(milliseconds));
}
