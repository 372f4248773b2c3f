/**
 * What the code counts and times while it runs. `monitoring/` serves these with gauges that it reads at each scrape. The labels have few values:
 * operations of the contract, kinds of jobs, names of our own. Never organizations, users or addresses.
 */
import { Counter, Histogram, Registry } from 'prom-client';

/** The values of this process. */
export const measures = new Registry();

const registers = [measures];
/** Seconds, from a response out of memory to the longest timeout. */
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const requestsAnswered = new Counter({
  name: 'heddle_http_requests_total',
  help: 'Responses by operation of the API and status. "other": no operation, such as health checks and unknown paths.',
  labelNames: ['operation', 'status'],
  registers,
});

export const requestSeconds = new Histogram({
  name: 'heddle_http_request_duration_seconds',
  help: 'Time from the header of a request to its response, or until the request is held.',
  labelNames: ['operation'],
  buckets: SECONDS,
  registers,
});

export const requestsWaited = new Histogram({
  name: 'heddle_http_slot_wait_seconds',
  help: 'Wait of requests for a concurrency slot of their account, if they waited.',
  buckets: SECONDS,
  registers,
});

export const batchItems = new Histogram({
  name: 'heddle_batch_items',
  help: 'Changes that were committed together, such as messages.',
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  registers,
});

export const batchSeconds = new Histogram({
  name: 'heddle_batch_duration_seconds',
  help: 'Time to commit a batch.',
  buckets: SECONDS,
  registers,
});

export const lockSeconds = new Histogram({
  name: 'heddle_lock_wait_seconds',
  help: 'Wait for a lock. "turn": for other exclusive transactions of this process; "organization": for the organization lock in the database.',
  labelNames: ['lock'],
  buckets: SECONDS,
  registers,
});

export const conflicts = new Counter({
  name: 'heddle_transaction_conflicts_total',
  help: 'Optimistic transactions that lost against another one and were retried.',
  registers,
});

export const connectionSeconds = new Histogram({
  name: 'heddle_database_connection_wait_seconds',
  help: 'Wait for a free connection of the pool.',
  labelNames: ['pool'],
  buckets: SECONDS,
  registers,
});

export const historyReads = new Counter({
  name: 'heddle_history_reads_total',
  help: 'Searches and pages of old history, if HEDDLE_STANDBY_READS is on, by the kind of host that served them. "reason": why no standby did.',
  labelNames: ['source', 'reason'],
  registers,
});

export const eventsPublished = new Counter({
  name: 'heddle_events_published_total',
  help: 'Events of logs that this process has passed to its readers.',
  registers,
});

export const eventsOfOthers = new Counter({
  name: 'heddle_events_of_others_total',
  help: 'Events that other processes committed. "bus": a wake-up carried them; "table": this process read them.',
  labelNames: ['source'],
  registers,
});

export const jobAttempts = new Counter({
  name: 'heddle_job_attempts_total',
  help: 'Attempts at background jobs by kind and result: done, retried, failed permanently.',
  labelNames: ['kind', 'result'],
  registers,
});

export const jobSeconds = new Histogram({
  name: 'heddle_job_duration_seconds',
  help: 'Time of attempts at background jobs.',
  labelNames: ['kind'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
  registers,
});

export type DeliveryService = 'mail' | 'push' | 'web-push' | 'webhook';

export const deliveries = new Counter({
  name: 'heddle_deliveries_total',
  help: 'Requests to other services: mails, notifications for phones and browsers, outgoing webhooks.',
  labelNames: ['service', 'result'],
  registers,
});

export const deliverySeconds = new Histogram({
  name: 'heddle_delivery_duration_seconds',
  help: 'Time of requests to other services.',
  labelNames: ['service'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});

export const linesLogged = new Counter({
  name: 'heddle_log_lines_total',
  help: 'Lines of the log that tell of a problem, by level: warn, error, fatal.',
  labelNames: ['level'],
  registers,
});

/**
 * Counts and times a request to another service.
 * @param isDelivered whether the response is a success. Default: every response.
 */
export async function delivering<Result>(
  service: DeliveryService,
  work: () => Promise<Result>,
  isDelivered: (result: Result) => boolean = () => true,
): Promise<Result> {
  const end = deliverySeconds.startTimer({ service });
  try {
    const result = await work();
    deliveries.inc({ service, result: isDelivered(result) ? 'delivered' : 'failed' });
    return result;
  } catch (error) {
    deliveries.inc({ service, result: 'failed' });
    throw error;
  } finally {
    end();
  }
}
