import { ofMessages } from '../../../extension/exports.ts';
import type { Feature } from '../../../extension/feature.ts';
import { reactionPresenter } from './events.ts';
import { reactionRoutes } from './routes.ts';

export const reactions: Feature = {
  routes: reactionRoutes,
  presenters: { reaction: reactionPresenter },
  exports: [
    {
      table: 'reactions',
      fields: ['message_id', 'emoji_kind', 'emoji_code', 'user_id', 'emoji_name', 'by_outsider', 'id'],
      rows: ofMessages,
    },
  ],
};
