import type { Feature } from '../../../extension/feature.ts';
import { messagePresenter } from './events.ts';
import { messagesExports } from './exports.ts';
import { newestMessageState } from './state.ts';

export const messages: Feature = {
  state: () => [newestMessageState],
  presenters: { message: messagePresenter },
  exports: messagesExports,
};
