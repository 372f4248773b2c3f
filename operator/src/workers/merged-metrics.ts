import { measures } from '@heddle/server/measures.ts';
import type { MetricValues } from '@heddle/server/monitoring/metrics-port.ts';
import { AggregatorRegistry } from 'prom-client';
import type { WorkerProcess } from './worker-process.ts';

/**
 * The metrics of all workers as those of one server. Counters and histograms are summed. A gauge says itself how it is merged
 * (`server/src/monitoring/gauges.ts`).
 *
 * What a worker had counted at its last scrape stays in the sums after its end. Otherwise the sums would fall, and Prometheus would take all that is
 * left for an increase.
 */
export class MergedMetrics {
  readonly #last = new Map<WorkerProcess, MetricValues>();
  #ended: MetricValues = [];

  /** The text for Prometheus. A worker that does not respond is missing. */
  async text(workers: readonly WorkerProcess[]): Promise<string> {
    const read = await Promise.all(workers.map(async (worker) => [worker, await worker.metrics()] as const));
    const current: MetricValues[] = [];
    for (const [worker, values] of read) {
      if (values === undefined) continue;
      current.push(values);
      this.#last.set(worker, values.filter(isCounted));
    }
    const own = await measures.getMetricsAsJSON();
    return AggregatorRegistry.aggregate([own, this.#ended, ...current]).metrics();
  }

  /** Keeps what the worker had counted. */
  ended(worker: WorkerProcess): void {
    const values = this.#last.get(worker);
    this.#last.delete(worker);
    if (values === undefined) return;
    this.#adding = this.#adding.then(async () => {
      this.#ended = await AggregatorRegistry.aggregate([this.#ended, values]).getMetricsAsJSON();
    });
  }

  #adding: Promise<void> = Promise.resolve();
}

/** `prom-client` names the types in its texts so, and declares others. */
function isCounted({ type }: MetricValues[number]): boolean {
  return ['counter', 'histogram'].includes(String(type));
}
