import type { Feature } from '../../../extension/feature.ts';
import { emojiPart } from './custom-emoji.ts';
import { emojiPresenter } from './events.ts';
import { emojiExports } from './exports.ts';
import { emojiRoutes } from './routes.ts';
import { customEmojiState } from './state.ts';

/** The names of Unicode emoji for autocompletion, and custom emoji. */
export const emoji: Feature = {
  routes: emojiRoutes,
  directory: [emojiPart],
  state: () => [customEmojiState],
  presenters: { realm_emoji: emojiPresenter },
  exports: emojiExports,
};
