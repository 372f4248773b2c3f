import type { Feature } from '../../extension/feature.ts';
import { stateOfAll } from '../../extension/initial-state.ts';
import { playgroundsPresenter } from './events.ts';
import { playgroundsOf, presentPlayground } from './queries.ts';
import { playgroundRoutes } from './routes.ts';

const state = stateOfAll({
  types: ['realm_playgrounds'],
  build: ({ directory }) => ({ realm_playgrounds: playgroundsOf(directory).map(presentPlayground) }),
});

export const playgrounds: Feature = {
  routes: playgroundRoutes,
  state: () => [state],
  presenters: { realm_playgrounds: playgroundsPresenter },
};
