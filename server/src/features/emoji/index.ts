import type { Feature } from '../feature.ts';
import { emojiAttempts } from './attempts.ts';
import { emojiRoutes } from './routes.ts';

/** The names of emoji, for clients that complete them. */
export const emoji: Feature = { name: 'emoji', routes: emojiRoutes, attempts: emojiAttempts };
