/** Reads the log for messages to outgoing webhook bots. Sends do nothing for that. */
import { OUTGOING_WEBHOOKS } from '../../domain/users/bots/outgoing-webhooks.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { LogConsumer } from '../../jobs/consumers.ts';
import { servedBots, triggersIn } from './triggers.ts';
import { addRequests } from './waiting.ts';

/**
 * Reads only the logs of organizations that ever had such a bot.
 * @param found is called after new requests were written
 */
export function outgoingConsumer({ log }: Pick<AppContext, 'log'>, found: () => void): LogConsumer {
  return {
    name: OUTGOING_WEBHOOKS,
    isUrgent: (event, directory) => triggersIn(event, directory).length > 0,
    async reader({ id: organizationId, directory }) {
      return {
        types: servedBots(directory).size > 0 ? ['message'] : [],
        async read(db, events) {
          const triggered = events.flatMap((event) => triggersIn(event, directory));
          if (triggered.length === 0) return { handled: events.length };
          const dropped = await addRequests(db, organizationId, triggered);
          if (dropped > 0) {
            log.warn(
              { organization: organizationId, dropped },
              'outgoing webhooks were dropped: too many wait for one bot',
            );
          }
          return { handled: events.length, afterCommit: found };
        },
      };
    },
  };
}
