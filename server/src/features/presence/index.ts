import type { Feature } from '../feature.ts';
import { presenceAttempts } from './attempts.ts';
import { presencePresenter } from './events.ts';
import { presenceRoutes } from './routes.ts';
import { presenceState } from './state.ts';

export const presence: Feature = {
  name: 'presence',
  routes: presenceRoutes,
  state: (rooms) => [presenceState(rooms)],
  presenters: { presence: presencePresenter },
  attempts: presenceAttempts,
};
