import { setTimeout as delay } from 'node:timers/promises';
import { Histogram } from '../harness/histogram.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import { type Login, requestBytes } from '../harness/wire.ts';
import type { LoadContext, Target } from './load.ts';
import { numberedContent } from './message-sender.ts';

export interface SteadySendsParameters extends Target {
  /** The senders take turns, because the server processes at most two requests of one account at once. */
  readonly senders: readonly Login[];
  readonly channel: string;
  /** Milliseconds between two sends, independent of responses. */
  readonly every: number;
  readonly seconds: number;
}

export interface SteadySendsResult {
  readonly sends: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

/**
 * Sends messages at a constant rate, independent of responses. If the server pauses, the pause delays all sends of that time. Any error
 * response fails the load.
 */
export async function steadySends(parameters: SteadySendsParameters, _: LoadContext): Promise<SteadySendsResult> {
  const { address, senders, channel, every, seconds } = parameters;
  const latencies = new Histogram();
  const idle = [new HttpConnection(address), new HttpConnection(address)];
  for (const connection of idle) connection.open();
  const sending: Promise<void>[] = [];
  const begin = performance.now() + every;
  const count = Math.floor((seconds * 1000) / every);
  for (let sequence = 0; sequence < count; sequence++) {
    await delay(Math.max(0, begin + sequence * every - performance.now()));
    const connection = idle.pop() ?? new HttpConnection(address);
    const login = senders[sequence % senders.length];
    if (login === undefined) throw new Error('there is no user to send');
    const request = requestBytes(address, {
      method: 'POST',
      path: '/messages',
      login,
      parameters: { type: 'channel', to: channel, topic: 'picks', content: numberedContent(sequence) },
    });
    const at = performance.now();
    sending.push(
      connection.request(request).then(({ status, body }) => {
        if (status !== 200) throw new Error(`POST /messages: ${status} ${body}`);
        latencies.record(performance.now() - at);
        idle.push(connection);
      }),
    );
  }
  await Promise.all(sending);
  for (const connection of idle) connection.close();
  return {
    sends: latencies.count,
    p50: latencies.quantile(0.5),
    p99: latencies.quantile(0.99),
    worst: latencies.largest,
  };
}
