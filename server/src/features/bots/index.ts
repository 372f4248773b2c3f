import type { Feature } from '../feature.ts';
import { botAttempts } from './attempts.ts';
import { botPresenter } from './events.ts';
import { botRoutes } from './routes.ts';
import { botState } from './state.ts';

/** Accounts of programs, which belong to people. */
export const bots: Feature = {
  name: 'bots',
  routes: botRoutes,
  state: botState,
  presenters: (rooms) => ({ realm_bot: botPresenter(rooms) }),
  attempts: botAttempts,
};
