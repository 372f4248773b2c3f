import type { Feature } from '../../extension/feature.ts';
import { eventRoutes } from './routes.ts';
import { eventsState } from './state.ts';

export const events: Feature = {
  routes: (app, { stateParts }) => eventRoutes(app, stateParts),
  state: () => [eventsState],
};
