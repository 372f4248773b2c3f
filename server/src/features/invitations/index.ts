import type { Feature } from '../feature.ts';
import { invitationAttempts } from './attempts.ts';
import { invitesPresenter } from './events.ts';
import { invitationMailing } from './mails.ts';
import { invitationRoutes } from './routes.ts';

export const invitations: Feature = {
  name: 'invitations',
  routes: invitationRoutes,
  presenters: { invites_changed: invitesPresenter },
  mailings: (rooms) => [invitationMailing(rooms)],
  attempts: invitationAttempts,
};
