/** Periodic work: jobs for the whole database, which one process runs, and work on the memory of each process. */
import Type from 'typebox';
import { backgroundLevel } from './db/failures.ts';
import { countGrown } from './db/statistics.ts';
import { type Job, job } from './jobs/kind.ts';
import { FLUSH_INTERVAL_MS } from './log/queue-store.ts';
import { type Retention, trimLogs } from './log/retention.ts';
import type { OpenApp } from './open-app.ts';

const CLEANUP_INTERVAL_MS = 60_000;
/**
 * A client that polls but never acknowledges, or a dead consumer, keeps up to a day and two million events, about a gigabyte. The minimum of
 * ten minutes is longer than any process needs to notice missed events.
 */
const RETENTION: Retention = { minSeconds: 600, maxSeconds: 86_400, maxEvents: 2_000_000 };

type HousekeepingContext = Pick<OpenApp, 'queues' | 'background' | 'consumers' | 'organizations' | 'config' | 'log'>;

/** Half the idle time at most, so that an idle queue is collected soon after its idle time. */
function cleanEvery({ config }: HousekeepingContext): number {
  return Math.min(CLEANUP_INTERVAL_MS, config.queueIdleSeconds * 500);
}

/**
 * Recurring jobs, which one process at a time runs. They write outside the transaction of the job, which would hold
 * their locks until the end. Each can be repeated.
 */
export function housekeepingJobs(app: HousekeepingContext): readonly Job[] {
  const { queues, background, consumers, log } = app;
  const kind = {
    payload: Type.Object({}),
    maximumAttempts: 1,
    withinSeconds: 300,
    everySeconds: cleanEvery(app) / 1000,
  };
  return [
    job({ ...kind, name: 'collect-queues' }, async () => {
      await queues.flush();
      await queues.collect();
    }),
    job({ ...kind, name: 'trim-logs' }, async () => {
      await trimLogs(background, RETENTION, { names: consumers.names, log });
    }),
    job({ ...kind, name: 'count-rows' }, async () => {
      await countGrown(background);
    }),
  ];
}

/** Work on the memory of each process. A failure is logged, and the next run tries again. */
export function startClock(app: HousekeepingContext): { stop(): Promise<void> } {
  const { queues, organizations, log } = app;
  let running: Promise<unknown> = Promise.resolve();
  const inTurn = (task: () => Promise<unknown>): void => {
    running = running.then(task).catch((error) => {
      // During an outage, the health check logs one line, so this one is only `debug`.
      log[backgroundLevel(error)]({ err: error }, 'housekeeping failed');
    });
  };
  const dropIdle = (): void => {
    queues.dropUnused();
    organizations.dropIdle();
  };
  const timers = [
    setInterval(() => inTurn(() => queues.flush()), FLUSH_INTERVAL_MS),
    setInterval(dropIdle, cleanEvery(app)),
  ];
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      inTurn(() => queues.flush());
      await running;
    },
  };
}
