import type { Feature } from '../feature.ts';
import { emojiAttempts } from './attempts.ts';
import { emojiPresenter } from './events.ts';
import { emojiRoutes } from './routes.ts';
import { customEmojiState } from './state.ts';

/** The names of emoji, for clients that complete them, and the organization's own ones. */
export const emoji: Feature = {
  name: 'emoji',
  routes: emojiRoutes,
  state: () => [customEmojiState],
  presenters: { realm_emoji: emojiPresenter },
  attempts: emojiAttempts,
};
