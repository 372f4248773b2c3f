import { botPresenter } from '../../domain/users/bots/events.ts';
import type { Feature } from '../../extension/feature.ts';
import { takeBots } from './actions.ts';
import { botRoutes } from './routes.ts';
import { botState } from './state.ts';

/** Accounts of programs, which belong to people. */
export const bots: Feature = {
  routes: botRoutes,
  state: botState,
  hooks: { holderChanged: takeBots },
  presenters: (app) => ({ realm_bot: botPresenter(app) }),
};
