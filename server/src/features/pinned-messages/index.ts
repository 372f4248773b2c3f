import { ofMessages } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { carryPins, dropPins } from './actions.ts';
import { pinnedMessagesPresenter } from './events.ts';
import { pinnedMessageRoutes } from './routes.ts';
import { pinnedMessagesState } from './state.ts';

export const pinnedMessages: Feature = {
  routes: pinnedMessageRoutes,
  state: () => [pinnedMessagesState],
  presenters: { pinned_messages: pinnedMessagesPresenter },
  hooks: { messagesDeleted: dropPins, messagesMoved: carryPins },
  exports: [
    {
      table: 'pinned_messages',
      fields: ['message_id', 'channel_id', 'place', 'user_id', 'pinned_at'],
      rows: ofMessages,
    },
  ],
};
