import type { Feature } from '../feature.ts';
import { submessageAttempts } from './attempts.ts';
import { submessagePresenter } from './events.ts';
import { submessageRoutes } from './routes.ts';

export const submessages: Feature = {
  name: 'submessages',
  routes: submessageRoutes,
  presenters: { submessage: submessagePresenter },
  attempts: submessageAttempts,
};
