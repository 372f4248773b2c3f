import { Histogram } from '../harness/histogram.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import type { ParsedResponse } from '../harness/response-parser.ts';
import type { LoadContext, Target } from './load.ts';

export interface BesideSendsParameters extends Target {
  /** The one request that is measured. */
  readonly request: string;
  /** One a connection, sent again when it was answered and a moment has passed. */
  readonly sends: readonly string[];
  /** Seconds of sends before the request, which are not counted. */
  readonly warmUp: number;
}

/** In milliseconds. */
export interface BesideSendsResult {
  readonly took: number;
  /** Of the sends that were under way or begun while the request was. */
  readonly worst: number;
  readonly p50: number;
  readonly p99: number;
}

/** Between an answer and the next send: people write, and are not a crowd that fills the machine. */
const PAUSE = 3;

/** One large request, with others' sends beside it. Any failure is the load's failure. */
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
