import type { Feature } from '../../extension/feature.ts';
import { reactionPresenter } from './events.ts';
import { reactionRoutes } from './routes.ts';

export const reactions: Feature = {
  routes: reactionRoutes,
  presenters: { reaction: reactionPresenter },
};
