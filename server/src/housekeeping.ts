/** What happens by the clock: for the whole database by whichever process takes the job, and in each process for its own memory. */
import Type from 'typebox';
import type { OpenRooms } from './app.ts';
import { countGrown } from './db/statistics.ts';
import { type Job, job } from './jobs/kind.ts';
import { type Retention, trimLogs } from './log/retention.ts';

/** Last-fetched times are written this often, in milliseconds; a killed server forgets that much of them. */
export const FLUSH_EVERY = 5000;
const CLEAN_EVERY = 60_000;
/**
 * A client that fetches and never says what it has got is given a day, and two million events: about a gigabyte. The ten minutes are longer
 * than any process takes to notice that it missed something.
 */
const RETENTION: Retention = { leastSeconds: 600, mostSeconds: 86_400, mostEvents: 2_000_000 };

type HousekeepingRooms = Pick<OpenRooms, 'queues' | 'background' | 'organizations' | 'config' | 'log'>;

/** Idle queues are found idle in time to be collected when they are. */
function cleanEvery({ config }: HousekeepingRooms): number {
  return Math.min(CLEAN_EVERY, config.queueIdleSeconds * 500);
}

/**
 * Recurring jobs: one process at a time does them. They write outside of the job's transaction, which would hold locks of theirs until
 * all is done; each can be begun anew.
 */
export function housekeepingJobs(rooms: HousekeepingRooms): readonly Job[] {
  const { queues, background } = rooms;
  const kind = {
    payload: Type.Object({}),
    maximumAttempts: 1,
    withinSeconds: 300,
    everySeconds: cleanEvery(rooms) / 1000,
  };
  return [
    job({ ...kind, name: 'collect-queues' }, async () => {
      await queues.flush();
      await queues.collect();
    }),
    job({ ...kind, name: 'trim-logs' }, async () => {
      await trimLogs(background, RETENTION);
    }),
    job({ ...kind, name: 'count-rows' }, async () => {
      await countGrown(background);
    }),
  ];
}

/** What each process does for itself. A failure is logged and tried again at the next turn. */
export function startClock(rooms: HousekeepingRooms): { stop(): Promise<void> } {
  const { queues, organizations, log } = rooms;
  let running: Promise<unknown> = Promise.resolve();
  const inTurn = (task: () => Promise<unknown>): void => {
    running = running.then(task).catch((error) => log.warn({ err: error }, 'housekeeping failed'));
  };
  const dropIdle = (): void => {
    queues.dropUnused();
    organizations.dropIdle();
  };
  const timers = [
    setInterval(() => inTurn(() => queues.flush()), FLUSH_EVERY),
    setInterval(dropIdle, cleanEvery(rooms)),
  ];
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      inTurn(() => queues.flush());
      await running;
    },
  };
}
