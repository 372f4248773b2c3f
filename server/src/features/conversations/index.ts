import type { Feature } from '../feature.ts';
import { recentConversationsState } from './state.ts';

export const conversations: Feature = {
  name: 'conversations',
  state: () => [recentConversationsState],
};
