import type { Feature } from '../feature.ts';
import { typingAttempts } from './attempts.ts';
import { typingEditMessagePresenter, typingPresenter } from './events.ts';
import { typingRoutes } from './routes.ts';
import { typingState } from './state.ts';

export const typing: Feature = {
  name: 'typing',
  routes: typingRoutes,
  state: () => [typingState],
  presenters: { typing: typingPresenter, typing_edit_message: typingEditMessagePresenter },
  attempts: typingAttempts,
};
