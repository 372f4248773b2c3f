import type { Feature } from '../../extension/feature.ts';
import { incomingWebhookRoutes } from './routes.ts';

/** Messages about events of other services. */
export const incomingWebhooks: Feature = { routes: incomingWebhookRoutes };
