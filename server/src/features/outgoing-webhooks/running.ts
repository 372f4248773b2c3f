import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import type { Running } from '../../extension/feature.ts';
import type { LogConsumer } from '../../jobs/consumers.ts';
import { Networks, resolver } from '../../outbound/networks.ts';
import { Deliveries } from './delivering.ts';
import { Poster } from './post.ts';
import { outgoingConsumer } from './reading.ts';

/**
 * What a process does for outgoing webhooks besides requests. The pending work is in the database, and every process takes part. Each looks
 * every second, and at once after a message that concerns a bot.
 */
export interface OutgoingWebhooks extends Running {
  readonly consumers: readonly LogConsumer[];
  /** Resolves when all pending work has been read and sent. */
  settled(): Promise<void>;
}

export const outgoingOf = oncePerApp((app: AppContext): OutgoingWebhooks => {
  const { outgoingPrivateNetworks: allowed, outgoingTimeoutSeconds } = app.config;
  const poster = new Poster({
    networks: new Networks(allowed),
    resolve: resolver(),
    timeoutMilliseconds: outgoingTimeoutSeconds * 1000,
  });
  const deliveries = new Deliveries(app, poster);
  return {
    consumers: [outgoingConsumer(app, () => deliveries.wake())],
    start: () => deliveries.start(),
    async settled() {
      await app.consumers.settled();
      await deliveries.settled();
    },
    stop: (withinMilliseconds) => deliveries.stop(withinMilliseconds),
  };
});
