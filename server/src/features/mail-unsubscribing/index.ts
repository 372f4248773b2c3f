import type { Feature } from '../../extension/feature.ts';
import { unsubscribeRoutes } from './routes.ts';

/** The links in mails that stop such mails without a login. */
export const mailUnsubscribing: Feature = { routes: unsubscribeRoutes };
