import type { Feature } from '../../../extension/feature.ts';
import { deletionPresenter } from './events.ts';
import { deletingRoutes } from './routes.ts';

export const deleting: Feature = {
  routes: deletingRoutes,
  presenters: { delete_message: deletionPresenter },
};
