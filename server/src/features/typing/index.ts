import type { Feature } from '../feature.ts';
import { typingAttempts } from './attempts.ts';
import { typingPresenter } from './events.ts';
import { typingRoutes } from './routes.ts';
import { typingState } from './state.ts';

export const typing: Feature = {
  name: 'typing',
  routes: typingRoutes,
  state: () => [typingState],
  presenters: { typing: typingPresenter },
  attempts: typingAttempts,
};
