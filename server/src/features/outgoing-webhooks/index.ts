import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { outgoingOf } from './running.ts';

/** Services that are notified of messages to their bots and reply in their name. The bots themselves: `features/bots`. */
export const outgoingWebhooks: Feature = {
  consumers: (app) => outgoingOf(app).consumers,
  runs: outgoingOf,
  backlogs: { webhook: 'outgoing_requests' },
  exports: notExported('requests that wait for the service of a bot', 'outgoing_requests'),
};
