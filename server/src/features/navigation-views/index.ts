import type { Feature } from '../feature.ts';
import { navigationViewAttempts } from './attempts.ts';
import { navigationViewPresenter } from './events.ts';
import { navigationViewRoutes } from './routes.ts';
import { navigationViewsState } from './state.ts';

export const navigationViews: Feature = {
  name: 'navigation-views',
  routes: navigationViewRoutes,
  state: () => [navigationViewsState],
  presenters: { navigation_view: navigationViewPresenter },
  attempts: navigationViewAttempts,
};
