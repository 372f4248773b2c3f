import type { Organization } from '../../directory/organization.ts';
import { type AppContext, oncePerApp } from '../../extension/app-context.ts';
import type { Running } from '../../extension/feature.ts';
import { Strand } from '../../jobs/strand.ts';
import { Networks, resolver } from '../../outbound/networks.ts';
import { Deliveries } from './delivering.ts';
import { Poster } from './post.ts';
import { readLogs } from './reading.ts';
import { triggersIn } from './triggers.ts';

/**
 * What a process does for outgoing webhooks besides requests. The pending work is in the database, and every process takes part. Each looks
 * every second, and at once after a message that concerns a bot.
 */
export interface OutgoingWebhooks extends Running {
  /** Resolves when all pending work has been read and sent. For tests. */
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
  const listening = new WeakSet<Organization>();
  const listen = (organization: Organization): void => {
    if (listening.has(organization)) return;
    listening.add(organization);
    organization.onEvent((event) => {
      if (triggersIn(event, organization.directory).length > 0) reading.wake();
    });
  };
  const reading = new Strand(
    'reading logs for outgoing webhooks',
    async () => {
      const { hasMore, hasFound } = await readLogs(app, listen);
      if (hasFound) deliveries.wake();
      return hasMore;
    },
    app.log,
  );
  return {
    start() {
      reading.start();
      deliveries.start();
    },
    async settled() {
      await reading.settled();
      await deliveries.settled();
    },
    async stop(withinMilliseconds) {
      await Promise.all([reading.stop(), deliveries.stop(withinMilliseconds)]);
    },
  };
});
