import type { Feature } from '../feature.ts';
import { readStateAttempts } from './attempts.ts';
import { flagsPresenter } from './events.ts';
import { readStateRoutes } from './routes.ts';
import { readStateParts } from './state.ts';

export const readState: Feature = {
  name: 'read-state',
  routes: readStateRoutes,
  state: () => readStateParts,
  presenters: { update_message_flags: flagsPresenter },
  attempts: readStateAttempts,
};
