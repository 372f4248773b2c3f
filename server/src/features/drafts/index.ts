import type { Feature } from '../feature.ts';
import { draftAttempts } from './attempts.ts';
import { draftPresenter } from './events.ts';
import { draftRoutes } from './routes.ts';
import { draftsState } from './state.ts';

export const drafts: Feature = {
  name: 'drafts',
  routes: draftRoutes,
  state: () => [draftsState],
  presenters: { drafts: draftPresenter },
  attempts: draftAttempts,
};
