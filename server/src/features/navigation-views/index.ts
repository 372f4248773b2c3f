import { ofConsenting } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { navigationViewPresenter } from './events.ts';
import { navigationViewRoutes } from './routes.ts';
import { navigationViewsState } from './state.ts';

export const navigationViews: Feature = {
  routes: navigationViewRoutes,
  state: () => [navigationViewsState],
  presenters: { navigation_view: navigationViewPresenter },
  exports: [
    {
      table: 'navigation_views',
      fields: ['user_id', 'id', 'fragment', 'is_pinned', 'name'],
      rows: ofConsenting,
    },
  ],
};
