import type { Feature } from '../../extension/feature.ts';
import { invitesPresenter } from './events.ts';
import { invitationMailing } from './mails.ts';
import { invitationRoutes } from './routes.ts';

export const invitations: Feature = {
  routes: invitationRoutes,
  presenters: { invites_changed: invitesPresenter },
  mailings: (app) => [invitationMailing(app)],
};
