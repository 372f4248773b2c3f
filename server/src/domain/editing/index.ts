import type { Feature } from '../../extension/feature.ts';
import { messageUpdatePresenter } from './events.ts';
import { editingJobs } from './jobs.ts';
import { editingRoutes } from './routes.ts';

export const editing: Feature = {
  routes: editingRoutes,
  presenters: { update_message: messageUpdatePresenter },
  jobs: editingJobs,
};
