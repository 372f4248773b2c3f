import type { Feature } from '../feature.ts';
import { reactionAttempts } from './attempts.ts';
import { reactionPresenter } from './events.ts';
import { reactionRoutes } from './routes.ts';

export const reactions: Feature = {
  name: 'reactions',
  routes: reactionRoutes,
  presenters: { reaction: reactionPresenter },
  attempts: reactionAttempts,
};
