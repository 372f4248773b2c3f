import type { Organization } from '../../directory/organization.ts';
import { Strand } from '../../jobs/strand.ts';
import type { Running } from '../feature.ts';
import { oncePerRooms, type Rooms } from '../rooms.ts';
import { Deliveries } from './delivering.ts';
import { Networks, resolver } from './networks.ts';
import { Poster } from './post.ts';
import { readLogs } from './reading.ts';
import { triggersIn } from './triggers.ts';

/**
 * What a process does about outgoing webhooks, beside requests. What is to be done stands in the database, and every process takes part;
 * each looks every second, and at once where it hears of a message that concerns a bot.
 */
export interface OutgoingWebhooks extends Running {
  /** Resolves when all that there was to be read and told has been. For tests. */
  settled(): Promise<void>;
}

export const outgoingOf = oncePerRooms((rooms: Rooms): OutgoingWebhooks => {
  const { outgoingPrivateNetworks: allowed, outgoingTimeoutSeconds } = rooms.config;
  const poster = new Poster({
    networks: new Networks(allowed),
    resolve: resolver(),
    timeoutMilliseconds: outgoingTimeoutSeconds * 1000,
  });
  const deliveries = new Deliveries(rooms, poster);
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
      const { hasMore, hasFound } = await readLogs(rooms, listen);
      if (hasFound) deliveries.wake();
      return hasMore;
    },
    rooms.log,
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
