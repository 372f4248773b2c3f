import type { Feature } from '../feature.ts';
import { avatarAttempts } from './attempts.ts';
import { avatarRoutes } from './routes.ts';

/** Pictures of people and bots, uploaded or made for them. */
export const avatars: Feature = {
  name: 'avatars',
  routes: avatarRoutes,
  attempts: avatarAttempts,
};
