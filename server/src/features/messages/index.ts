import type { Feature } from '../feature.ts';
import { messagePresenter } from './events.ts';
import { newestMessageState } from './state.ts';

export const messages: Feature = {
  name: 'messages',
  state: () => [newestMessageState],
  presenters: { message: messagePresenter },
};
