import { pushReadingOf } from '../../domain/notifications/push-notifications/reading.ts';
import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import type { Running } from '../../extension/feature.ts';
import { stopAll, WorkerLoop } from '../../jobs/worker-loop.ts';
import { PushService } from '../../push/service.ts';
import { deliver } from './delivering.ts';
import { introduceDevices } from './introducing.ts';

/**
 * What a process does for phones besides requests: two worker loops beside the reader of the log.
 * The pending work is in the database, and every process takes part.
 */
export interface MobilePush extends Running {
  /** Undefined if the operator has configured none. Then nothing runs. */
  readonly service: PushService | undefined;
  /** There may be a device that the service does not know. */
  wake(): void;
  /** Resolves when all pending work has been read, registered and sent. */
  settled(): Promise<void>;
}

export const pushOf = oncePerApp((app: AppContext): MobilePush => {
  const service = PushService.of(app.config);
  if (service === undefined) {
    return { service, async start() {}, wake() {}, async settled() {}, async stop() {} };
  }
  const { log } = app;
  const introducing = new WorkerLoop({ name: 'push devices', log, look: () => introduceDevices(app, service) });
  const delivering = new WorkerLoop({ name: 'push notifications', log, look: () => deliver(app, service) });
  const loops = [introducing, delivering];
  pushReadingOf(app).onFound(() => delivering.wake());
  return {
    service,
    async start() {
      for (const loop of loops) loop.start();
    },
    wake: () => introducing.wake(),
    async settled() {
      await introducing.settled();
      await app.consumers.settled();
      await delivering.settled();
    },
    stop: (withinMilliseconds) => stopAll(loops, withinMilliseconds),
  };
});
