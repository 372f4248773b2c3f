import type { Feature } from '../../extension/feature.ts';
import { emojiPresenter } from './events.ts';
import { emojiExports } from './exports.ts';
import { emojiRoutes } from './routes.ts';
import { customEmojiState } from './state.ts';

/** The names of Unicode emoji for autocompletion, and custom emoji. */
export const emoji: Feature = {
  routes: emojiRoutes,
  state: () => [customEmojiState],
  presenters: { realm_emoji: emojiPresenter },
  exports: emojiExports,
};
