import type { Feature } from '../../extension/feature.ts';
import { submessagePresenter } from './events.ts';
import { submessageRoutes } from './routes.ts';

export const submessages: Feature = {
  routes: submessageRoutes,
  presenters: { submessage: submessagePresenter },
};
