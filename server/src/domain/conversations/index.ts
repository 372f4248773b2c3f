import type { Feature } from '../../extension/feature.ts';
import { recentConversationsState } from './state.ts';

export const conversations: Feature = {
  state: () => [recentConversationsState],
};
