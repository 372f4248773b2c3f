import type { Feature } from '../feature.ts';
import { subscriptionAttempts } from './attempts.ts';
import { subscriptionPresenter } from './events.ts';
import { subscriptionRoutes } from './routes.ts';
import { subscriptionsState } from './state.ts';

export const subscriptions: Feature = {
  name: 'subscriptions',
  routes: subscriptionRoutes,
  state: (rooms) => [subscriptionsState(rooms)],
  presenters: { subscription: subscriptionPresenter },
  attempts: subscriptionAttempts,
};
