import type { Feature } from '../../../extension/feature.ts';
import { subscriptionPresenter } from './events.ts';
import { subscriptionsExports } from './exports.ts';
import { subscriptionRoutes } from './routes.ts';
import { subscriptionsState } from './state.ts';

export const subscriptions: Feature = {
  routes: subscriptionRoutes,
  state: (app) => [subscriptionsState(app)],
  presenters: { subscription: subscriptionPresenter },
  exports: subscriptionsExports,
};
