import { Histogram } from '../harness/histogram.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import type { ParsedResponse } from '../harness/response-parser.ts';
import type { LoadContext, Target } from './load.ts';

export interface ClosedLoopParameters extends Target {
  /** One list of prepared requests per connection. Each response starts the next request. */
  readonly requests: readonly (readonly string[])[];
  /** Warm-up in seconds. */
  readonly warmUp: number;
  /** Measured time in seconds. A request counts if its response arrives in this time. */
  readonly seconds: number;
  /** The load does not read the bodies of responses, but still checks their status. */
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

/** Keeps one request in flight per connection for the given time. Any failed request fails the load. */
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
          // On a busy machine a short time can pass without a response. The load then ends at the first response.
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
