import type { Feature } from '../../extension/feature.ts';
import { outgoingOf } from './running.ts';

/** Services that are notified of messages to their bots and reply in their name. The bots themselves: `features/bots`. */
export const outgoingWebhooks: Feature = {
  consumers: (app) => outgoingOf(app).consumers,
  runs: outgoingOf,
};
