import { setTimeout as delay } from 'node:timers/promises';
import { Histogram } from '../harness/histogram.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import type { LoadContext, Target } from './load.ts';

export interface ReturnOfAllParameters extends Target {
  /** One registration per client. All begin at once. */
  readonly registrations: readonly string[];
  /** Sends per connection, repeated in a closed loop. */
  readonly sends: readonly (readonly string[])[];
  /** Seconds of sends before the measurement, and of sends alone. */
  readonly warmUp: number;
  readonly alone: number;
  /** Timeout of all registrations, in seconds. */
  readonly patience: number;
}

export interface ReturnOfAllResult {
  /** Sends per second, before the registrations and while they run. */
  readonly sendsAlone: number;
  readonly sendsBeside: number;
  /** Seconds until all clients are registered. */
  readonly allAfter: number;
  /** Milliseconds from a request to its success, without refused ones. */
  readonly p50: number;
  readonly p99: number;
  /** Responses with 503 and a time to return. */
  readonly refused: number;
  /** Of one successful response. */
  readonly bytes: number;
}

/** Clients register at once beside sends. A client that gets 503 returns after the time that the response names. Other errors fail the load. */
export async function returnOfAll(parameters: ReturnOfAllParameters, _: LoadContext): Promise<ReturnOfAllResult> {
  const { address, registrations, sends, warmUp, alone, patience } = parameters;
  const latencies = new Histogram();
  let isOver = false;
  let sent = 0;
  let refused = 0;
  let bytes = 0;
  const loops = sends.map(async (own) => {
    const connection = new HttpConnection(address);
    for (let turn = 0; !isOver; turn += 1) {
      const { status, body } = await connection.request(own[turn % own.length] ?? '');
      if (status !== 200) throw new Error(`POST /messages: ${status} ${body.toString().slice(0, 300)}`);
      sent += 1;
    }
    connection.close();
  });

  async function register(request: string, until: number): Promise<void> {
    const connection = new HttpConnection(address);
    for (;;) {
      const sentAt = performance.now();
      const { status, body, bodyBytes } = await connection.request(request);
      if (status === 200) {
        latencies.record(performance.now() - sentAt);
        bytes = bodyBytes;
        break;
      }
      const seconds = status === 503 ? Number(JSON.parse(body.toString())['retry-after']) : Number.NaN;
      if (!(seconds > 0)) throw new Error(`POST /register: ${status} ${body.toString().slice(0, 300)}`);
      refused += 1;
      if (performance.now() + seconds * 1000 > until) throw new Error(`a client did not register in ${patience} s`);
      // The server closes idle connections, perhaps just when the client returns.
      connection.close();
      await delay(seconds * 1000);
    }
    connection.close();
  }

  const measured = async (): Promise<ReturnOfAllResult> => {
    await delay(warmUp * 1000);
    const [sentBefore, begunAt] = [sent, performance.now()];
    await delay(alone * 1000);
    const [sentAlone, returnAt] = [sent, performance.now()];
    await Promise.all(registrations.map((request) => register(request, returnAt + patience * 1000)));
    const endedAt = performance.now();
    return {
      sendsAlone: (1000 * (sentAlone - sentBefore)) / (returnAt - begunAt),
      sendsBeside: (1000 * (sent - sentAlone)) / (endedAt - returnAt),
      allAfter: (endedAt - returnAt) / 1000,
      p50: latencies.quantile(0.5),
      p99: latencies.quantile(0.99),
      refused,
      bytes,
    };
  };
  const [result] = await Promise.all([
    measured().finally(() => {
      isOver = true;
    }),
    ...loops,
  ]);
  return result;
}
