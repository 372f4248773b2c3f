import type { Feature } from '../../extension/feature.ts';
import { statusPresenter } from './events.ts';
import { userStatusRoutes } from './routes.ts';
import { userStatusState } from './state.ts';

export const userStatus: Feature = {
  routes: userStatusRoutes,
  state: () => [userStatusState],
  presenters: { user_status: statusPresenter },
  exports: [
    {
      table: 'user_statuses',
      fields: ['user_id', 'status_text', 'emoji_kind', 'emoji_code', 'emoji_name'],
    },
  ],
};
