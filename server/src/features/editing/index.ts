import type { Feature } from '../feature.ts';
import { editingAttempts } from './attempts.ts';
import { messageUpdatePresenter } from './events.ts';
import { editingRoutes } from './routes.ts';

export const editing: Feature = {
  name: 'editing',
  routes: editingRoutes,
  presenters: { update_message: messageUpdatePresenter },
  attempts: editingAttempts,
};
