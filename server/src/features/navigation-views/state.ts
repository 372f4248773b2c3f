import { statePart } from '../../extension/initial-state.ts';
import { type NavigationView, selectViews } from './queries.ts';

export const navigationViewsState = statePart<readonly NavigationView[]>({
  types: ['navigation_view'],
  // The reference selects the state by this name, which no event has.
  alsoSelectedBy: 'navigation_views',
  select: ({ organizationId, userId }) => selectViews(organizationId, userId),
  build: (_, views) => ({ navigation_views: views }),
  spectators: { build: () => ({ navigation_views: [] }) },
});
