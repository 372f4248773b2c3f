import type { Feature } from '../feature.ts';
import { linkifierAttempts } from './attempts.ts';
import { linkifiersPresenter } from './events.ts';
import { linkifierRoutes } from './routes.ts';
import { linkifiersState } from './state.ts';

export const linkifiers: Feature = {
  name: 'linkifiers',
  routes: linkifierRoutes,
  state: () => linkifiersState,
  presenters: { realm_linkifiers: linkifiersPresenter },
  attempts: linkifierAttempts,
};
