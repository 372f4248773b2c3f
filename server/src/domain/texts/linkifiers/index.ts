import type { Feature } from '../../../extension/feature.ts';
import { linkifiersPresenter } from './events.ts';
import { linkifierRoutes } from './routes.ts';
import { linkifiersState } from './state.ts';

export const linkifiers: Feature = {
  routes: linkifierRoutes,
  state: () => linkifiersState,
  presenters: { realm_linkifiers: linkifiersPresenter },
};
