import type { Feature } from '../feature.ts';
import { deletingAttempts } from './attempts.ts';
import { deletionPresenter } from './events.ts';
import { deletingRoutes } from './routes.ts';

export const deleting: Feature = {
  name: 'deleting',
  routes: deletingRoutes,
  presenters: { delete_message: deletionPresenter },
  attempts: deletingAttempts,
};
