import { createConnection, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Address } from '../harness/http-connection.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import type { LoadContext, Target } from './load.ts';

/** The requests of one attacker, on all connections at once. */
export type Attack =
  /** One list of prepared requests per connection. Each response, of any status, starts the next request. */
  | { readonly how: 'ask'; readonly requests: readonly (readonly string[])[] }
  /** Each connection sends the start of a request, and then single bytes with pauses. */
  | { readonly how: 'dawdle'; readonly beginning: string; readonly connections: number }
  /** Each connection repeats a request and never reads the responses. */
  | { readonly how: 'not read'; readonly request: string; readonly connections: number }
  /** Opens connections in sequence. Each sends this request and closes without reading. */
  | { readonly how: 'hang up'; readonly request: string; readonly connections: number };

export interface AttackParameters extends Target {
  readonly attack: Attack;
  readonly seconds: number;
}

export interface AttackResult {
  /** Number of responses by status. 0 counts broken connections. */
  readonly answers: Readonly<Record<string, number>>;
}

/** Pause after a rate limit error, in milliseconds, so that the benchmark does not measure these errors. */
const PAUSE = 20;

export async function attack({ address, attack, seconds }: AttackParameters, _: LoadContext): Promise<AttackResult> {
  const end = performance.now() + seconds * 1000;
  if (attack.how === 'ask') return { answers: await ask(address, attack.requests, end) };
  const sockets: Socket[] = [];
  try {
    while (performance.now() < end) {
      if (attack.how === 'hang up') {
        for (const socket of sockets.splice(0)) socket.destroy();
      }
      while (sockets.length < attack.connections) sockets.push(opened(address, attack));
      await delay(100);
      for (const socket of sockets) if (attack.how === 'dawdle' && socket.writable) socket.write('a');
    }
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return { answers: {} };
}

async function ask(address: Address, lists: readonly (readonly string[])[], end: number) {
  const answers: Record<string, number> = {};
  await Promise.all(
    lists.map(async (requests) => {
      const connection = new HttpConnection(address, 'count');
      const late = delay(Math.max(0, end - performance.now()), 'late' as const);
      for (let turn = 0; performance.now() < end; turn++) {
        const answer = await Promise.race([late, statusOf(connection, requests[turn % requests.length] ?? '')]);
        if (answer === 'late') break;
        answers[answer] = (answers[answer] ?? 0) + 1;
        if (answer === 429 || answer === 0) await delay(PAUSE);
      }
      connection.close();
    }),
  );
  return answers;
}

async function statusOf(connection: HttpConnection, request: string): Promise<number> {
  try {
    return (await connection.request(request)).status;
  } catch {
    connection.close();
    return 0;
  }
}

function opened(address: Address, attack: Exclude<Attack, { how: 'ask' }>): Socket {
  const socket = createConnection({ ...address, noDelay: true });
  // The load ignores the results of these connections.
  socket.on('error', () => {});
  if (attack.how === 'not read') socket.pause();
  else socket.resume();
  socket.write(attack.how === 'dawdle' ? attack.beginning : attack.request, 'latin1');
  return socket;
}
