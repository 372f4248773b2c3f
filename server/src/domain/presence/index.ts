import type { Feature } from '../../extension/feature.ts';
import { presencePresenter } from './events.ts';
import { presenceExports } from './exports.ts';
import { presenceRoutes } from './routes.ts';
import { presenceState } from './state.ts';

export const presence: Feature = {
  routes: presenceRoutes,
  state: (app) => [presenceState(app)],
  presenters: { presence: presencePresenter },
  exports: presenceExports,
};
