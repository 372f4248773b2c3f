import { Histogram } from '../harness/histogram.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import type { ParsedResponse } from '../harness/response-parser.ts';
import type { LoadContext, Target } from './load.ts';

export interface ClosedLoopParameters extends Target {
  /** One list of ready requests a connection, sent in turn, the next when the last was answered. */
  readonly requests: readonly (readonly string[])[];
  /** Seconds that aren't counted. */
  readonly warmUp: number;
  /** Seconds that are; a request belongs to them when its answer does. */
  readonly seconds: number;
  /** Answers that nobody looks into but to count them: their status is still checked. */
  readonly countBodies: boolean;
}

export interface ClosedLoopResult {
  readonly answers: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly bodyBytes: number;
}

const SUCCESS = '"result":"success"';

/** As many requests in flight as there are connections, for a while. Any failure is the load's failure. */
export async function closedLoop(parameters: ClosedLoopParameters, _: LoadContext): Promise<ClosedLoopResult> {
  const latencies = new Histogram();
  const begin = performance.now() + parameters.warmUp * 1000;
  const end = begin + parameters.seconds * 1000;
  let bodyBytes = 0;
  await Promise.all(
    parameters.requests.map((requests) => {
      const connection = new HttpConnection(parameters.address, parameters.countBodies ? 'count' : 'keep');
      return new Promise<void>((resolve, reject) => {
        let turn = 0;
        let sentAt = 0;
        const answered = (error: Error | null, response: ParsedResponse | null) => {
          const now = performance.now();
          const failure = error ?? failureOf(response, parameters.countBodies);
          // A short span on a busy machine may see no answer: then it ends with the first.
          if (failure !== null || (now >= end && latencies.count > 0)) {
            connection.close();
            if (failure === null) resolve();
            else reject(failure);
            return;
          }
          if (now >= begin) {
            latencies.record(now - sentAt);
            bodyBytes += response?.bodyBytes ?? 0;
          }
          next();
        };
        const next = () => {
          const request = requests[turn++ % requests.length];
          if (request === undefined) throw new Error('a connection without requests');
          sentAt = performance.now();
          connection.send(request, answered);
        };
        next();
      });
    }),
  );
  return {
    answers: latencies.count,
    rate: latencies.count / parameters.seconds,
    p50: latencies.quantile(0.5),
    p99: latencies.quantile(0.99),
    bodyBytes,
  };
}

function failureOf(response: ParsedResponse | null, counted: boolean): Error | null {
  if (response === null) return new Error('no response');
  if (response.status === 200 && (counted || response.body.includes(SUCCESS, 0, 'latin1'))) return null;
  return new Error(`${response.status} ${response.body.toString().slice(0, 500)}`);
}
