import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import type { Running } from '../../extension/feature.ts';
import type { LogConsumer } from '../../jobs/consumers.ts';
import { stopAll, WorkerLoop } from '../../jobs/worker-loop.ts';
import { PushService } from '../../push/service.ts';
import { deliver } from './delivering.ts';
import { introduceDevices } from './introducing.ts';
import { pushConsumer } from './reading.ts';

/**
 * What a process does for phones besides requests: two worker loops beside its reader of the log.
 * The pending work is in the database, and every process takes part.
 */
export interface MobilePush extends Running {
  /** Undefined if the operator has configured none. Then nothing runs. */
  readonly service: PushService | undefined;
  readonly consumers: readonly LogConsumer[];
  /** There may be a device that the service does not know. */
  wake(): void;
  /** Resolves when all pending work has been read, registered and sent. */
  settled(): Promise<void>;
}

export const pushOf = oncePerApp((app: AppContext): MobilePush => {
  const service = PushService.of(app.config);
  if (service === undefined) {
    return { service, consumers: [], async start() {}, wake() {}, async settled() {}, async stop() {} };
  }
  const { log } = app;
  const introducing = new WorkerLoop({ name: 'push devices', log, look: () => introduceDevices(app, service) });
  const delivering = new WorkerLoop({ name: 'push notifications', log, look: () => deliver(app, service) });
  const loops = [introducing, delivering];
  return {
    service,
    consumers: [pushConsumer(app, () => delivering.wake())],
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
