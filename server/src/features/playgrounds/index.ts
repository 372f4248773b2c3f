import type { Feature } from '../feature.ts';
import { stateOfAll } from '../initial-state.ts';
import { playgroundAttempts } from './attempts.ts';
import { playgroundsPresenter } from './events.ts';
import { playgroundsOf, presentPlayground } from './queries.ts';
import { playgroundRoutes } from './routes.ts';

const state = stateOfAll({
  types: ['realm_playgrounds'],
  build: ({ directory }) => ({ realm_playgrounds: playgroundsOf(directory).map(presentPlayground) }),
});

export const playgrounds: Feature = {
  name: 'playgrounds',
  routes: playgroundRoutes,
  state: () => [state],
  presenters: { realm_playgrounds: playgroundsPresenter },
  attempts: playgroundAttempts,
};
