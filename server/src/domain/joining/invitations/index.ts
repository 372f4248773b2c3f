import { sql } from 'kysely';
import type { Feature } from '../../../extension/feature.ts';
import { invitesPresenter } from './events.ts';
import { invitationMailing } from './mails.ts';
import { invitationRoutes } from './routes.ts';

export const invitations: Feature = {
  routes: invitationRoutes,
  presenters: { invites_changed: invitesPresenter },
  mailings: (app) => [invitationMailing(app)],
  exports: [
    {
      table: 'invitations',
      fields: [
        'id',
        'inviter_id',
        'email',
        'role',
        'channel_ids',
        'group_ids',
        'with_defaults',
        'tells_inviter',
        'welcome_text',
        'created_at',
        'expires_at',
        'mailed_at',
        'ended_at',
        'ending',
      ],
      withheld: {
        nonce: 'the link of the invitation is derived from it',
        key_hash: 'recognizes the link of the invitation',
      },
      // Only administrators and the inviter see them: addresses, private channels, texts.
      rows: ({ isPublic }) => sql.lit(!isPublic),
    },
  ],
};
