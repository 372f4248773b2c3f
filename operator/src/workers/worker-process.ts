import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';
import type { MetricValues } from '@heddle/server/monitoring/metrics-port.ts';
import { type FromWorker, type Orders, type ToWorker, withOrders } from './messages.ts';
import { closeUntaken } from './untaken.ts';

/** A busy worker can take a second. A scrape has ten. */
const METRICS_TIMEOUT_MS = timeoutOf(5_000);

/** The last lines of the log arrive at once. A child of the worker may still hold the pipe. */
const LAST_LINES_TIMEOUT_MS = 1_000;

/** How a worker ended. */
export interface WorkerEnd {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A worker, as the primary sees it. */
export class WorkerProcess {
  readonly number: number;
  /** Resolves with whether it serves: false if it ended before. */
  readonly serving: Promise<boolean>;
  /** Resolves when it has ended, for any reason. */
  readonly ended: Promise<WorkerEnd>;
  readonly #worker: Worker;
  readonly #asked = new Map<number, (values: MetricValues) => void>();
  #nextId = 1;
  #isServing = false;
  #wasHeard = true;

  /**
   * Starts a worker, with the settings of `cluster.setupPrimary`.
   * @param settings environment variables
   * @param write receives each line of its log
   */
  constructor(orders: Orders, settings: NodeJS.ProcessEnv, write: (line: string) => void) {
    this.number = orders.number;
    const serving = Promise.withResolvers<boolean>();
    this.serving = serving.promise;
    this.#worker = cluster.fork({ ...settings, ...withOrders(orders) });
    closeUntaken(this.#worker.process);
    this.#worker.on('message', (message: FromWorker) => {
      this.#wasHeard = true;
      if (message.kind === 'serving') {
        this.#isServing = true;
        serving.resolve(true);
      } else if (message.kind === 'metrics') this.#asked.get(message.id)?.(message.values);
    });
    // A message to a worker that ends at this moment. Its end follows.
    this.#worker.on('error', () => {});
    const { stderr } = this.#worker.process;
    const written = stderr === null ? undefined : once(createInterface(stderr).on('line', write), 'close');
    this.ended = once(this.#worker.process, 'exit').then(async ([code, signal]) => {
      this.#isServing = false;
      await Promise.race([written, delay(LAST_LINES_TIMEOUT_MS)]);
      serving.resolve(false);
      return { code, signal };
    });
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  get isServing(): boolean {
    return this.#isServing;
  }

  /** Whether it sent a message since the last call. */
  takeSignOfLife(): boolean {
    const wasHeard = this.#wasHeard;
    this.#wasHeard = false;
    return wasHeard;
  }

  stop(): void {
    this.#send({ kind: 'stop' });
  }

  retire(): void {
    this.#send({ kind: 'retire' });
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  /** Undefined: it does not respond in time, or has ended. */
  async metrics(): Promise<MetricValues | undefined> {
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<MetricValues | undefined>();
    const timer = setTimeout(resolve, METRICS_TIMEOUT_MS, undefined);
    void this.ended.then(() => resolve(undefined));
    this.#asked.set(id, resolve);
    this.#send({ kind: 'read metrics', id });
    const values = await promise;
    clearTimeout(timer);
    this.#asked.delete(id);
    return values;
  }

  #send(message: ToWorker): void {
    if (this.#worker.isConnected()) this.#worker.send(message, () => {});
  }
}
