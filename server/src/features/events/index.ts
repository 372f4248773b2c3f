import type { Feature } from '../feature.ts';
import { eventAttempts } from './attempts.ts';
import { eventRoutes } from './routes.ts';
import { eventsState } from './state.ts';

export const events: Feature = {
  name: 'events',
  routes: (rooms, { stateParts }) => eventRoutes(rooms, stateParts),
  state: () => [eventsState],
  attempts: eventAttempts,
};
