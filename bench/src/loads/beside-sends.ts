import { Histogram } from '../harness/histogram.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import type { ParsedResponse } from '../harness/response-parser.ts';
import type { LoadContext, Target } from './load.ts';

export interface BesideSendsParameters extends Target {
  /** The measured request. */
  readonly request: string;
  /** One send per connection, repeated after the response and a pause. */
  readonly sends: readonly string[];
  /** Warm-up: seconds of sends before the request. */
  readonly warmUp: number;
}

/** Results in milliseconds. */
export interface BesideSendsResult {
  readonly took: number;
  /** Latencies of the sends that overlap the request. */
  readonly worst: number;
  readonly p50: number;
  readonly p99: number;
}

/** Pause between a response and the next send, in milliseconds. Without it, the sends would saturate the machine. */
const PAUSE = 3;

/** Runs one large request with concurrent sends. Any failed request fails the load. */
export async function besideSends(parameters: BesideSendsParameters, _: LoadContext): Promise<BesideSendsResult> {
  const { address, request, sends, warmUp } = parameters;
  const latencies = new Histogram();
  let worst = 0;
  let isOver = false;
  let beganAt = Number.POSITIVE_INFINITY;
  const loops = sends.map(async (send) => {
    const connection = new HttpConnection(address);
    while (!isOver) {
      const sentAt = performance.now();
      successful(await connection.request(send));
      const now = performance.now();
      if (now > beganAt) {
        latencies.record(now - sentAt);
        worst = Math.max(worst, now - sentAt);
      }
      await pause(PAUSE);
    }
    connection.close();
  });
  const connection = new HttpConnection(address);
  const measured = pause(warmUp * 1000).then(async () => {
    beganAt = performance.now();
    successful(await connection.request(request));
    const took = performance.now() - beganAt;
    isOver = true;
    connection.close();
    return took;
  });
  const [took] = await Promise.all([measured, ...loops]);
  return { took, worst, p50: latencies.quantile(0.5), p99: latencies.quantile(0.99) };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function successful({ status, body }: ParsedResponse): void {
  if (status !== 200) throw new Error(`${status} ${body.toString().slice(0, 500)}`);
}
