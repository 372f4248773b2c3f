import type { Feature } from '../../extension/feature.ts';
import { navigationViewPresenter } from './events.ts';
import { navigationViewRoutes } from './routes.ts';
import { navigationViewsState } from './state.ts';

export const navigationViews: Feature = {
  routes: navigationViewRoutes,
  state: () => [navigationViewsState],
  presenters: { navigation_view: navigationViewPresenter },
};
