import { ofMessages } from '../../../extension/exports.ts';
import type { Feature } from '../../../extension/feature.ts';
import { submessagePresenter } from './events.ts';
import { submessageRoutes } from './routes.ts';

export const submessages: Feature = {
  routes: submessageRoutes,
  presenters: { submessage: submessagePresenter },
  exports: [
    {
      table: 'submessages',
      fields: ['message_id', 'place', 'sender_id', 'kind', 'content'],
      rows: ofMessages,
    },
  ],
};
