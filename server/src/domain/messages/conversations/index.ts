import type { Feature } from '../../../extension/feature.ts';
import { conversationsExports } from './exports.ts';
import { recentConversationsState } from './state.ts';

export const conversations: Feature = {
  state: () => [recentConversationsState],
  exports: conversationsExports,
};
