import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import type { Running } from '../../extension/feature.ts';
import { Strand } from '../../jobs/strand.ts';
import { PushService } from '../../push/service.ts';
import { deliver } from './delivering.ts';
import { introduceDevices } from './introducing.ts';
import { readLogs } from './reading.ts';

/**
 * What a process does for phones besides requests: three worker loops. So a service that does not respond does not stop the reader of logs.
 * The pending work is in the database, and every process takes part.
 */
export interface MobilePush extends Running {
  /** Undefined if the operator has configured none. Then nothing runs. */
  readonly service: PushService | undefined;
  /** There may be a device that the service does not know. */
  wake(): void;
  /** Resolves when all pending work has been read, registered and sent. For tests. */
  settled(): Promise<void>;
}

export const pushOf = oncePerApp((app: AppContext): MobilePush => {
  const service = PushService.of(app.config);
  if (service === undefined) {
    return { service, start() {}, wake() {}, async settled() {}, async stop() {} };
  }
  const introducing = new Strand('push devices', () => introduceDevices(app, service), app.log);
  const delivering = new Strand('push notifications', () => deliver(app, service), app.log);
  const reading = new Strand(
    'reading logs for phones',
    async () => {
      const { hasMore, hasFound } = await readLogs(app);
      if (hasFound) delivering.wake();
      return hasMore;
    },
    app.log,
  );
  const strands = [introducing, reading, delivering];
  return {
    service,
    start() {
      for (const strand of strands) strand.start();
    },
    wake: () => introducing.wake(),
    async settled() {
      for (const strand of strands) await strand.settled();
    },
    async stop(withinMilliseconds) {
      const giveUp = Promise.withResolvers<void>();
      const timer = setTimeout(giveUp.resolve, withinMilliseconds);
      await Promise.race([Promise.all(strands.map((strand) => strand.stop())), giveUp.promise]);
      clearTimeout(timer);
    },
  };
});
