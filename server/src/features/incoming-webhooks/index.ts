import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { incomingWebhookRoutes } from './routes.ts';

/** Messages about events of other services. */
export const incomingWebhooks: Feature = {
  routes: incomingWebhookRoutes,
  exports: [
    ...notExported('kinds of requests of which this server has notified the owners of bots', 'webhook_notices'),
  ],
};
