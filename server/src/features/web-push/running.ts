import { pushReadingOf } from '../../domain/notifications/push-notifications/reading.ts';
import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import type { Running } from '../../extension/feature.ts';
import { stopAll } from '../../jobs/worker-loop.ts';
import { Networks, resolver } from '../../outbound/networks.ts';
import { Deliveries } from './delivering.ts';
import { contactOf, VapidIdentity } from './identity.ts';

/** What a process does for browsers besides requests. The pending work is in the database, and every process takes part. */
export interface WebPush extends Running {
  readonly identity: VapidIdentity;
  /** Resolves when all pending work has been read and sent. */
  settled(): Promise<void>;
}

export const webPushOf = oncePerApp((app: AppContext): WebPush => {
  const identity = new VapidIdentity(app.secret, contactOf(app.config));
  const reach = { networks: new Networks(app.config.webPushPrivateNetworks), resolve: resolver() };
  const deliveries = new Deliveries(app, reach, identity);
  pushReadingOf(app).onFound(() => deliveries.wake());
  return {
    identity,
    async start() {
      deliveries.start();
    },
    async settled() {
      await app.consumers.settled();
      await deliveries.settled();
    },
    stop: (withinMilliseconds) => stopAll([deliveries.loop], withinMilliseconds),
  };
});
