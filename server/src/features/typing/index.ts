import type { Feature } from '../../extension/feature.ts';
import { typingEditMessagePresenter, typingPresenter } from './events.ts';
import { typingRoutes } from './routes.ts';
import { typingState } from './state.ts';

export const typing: Feature = {
  routes: typingRoutes,
  state: () => [typingState],
  presenters: { typing: typingPresenter, typing_edit_message: typingEditMessagePresenter },
};
