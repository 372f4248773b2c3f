import type { Feature } from '../../../extension/feature.ts';
import { avatarRoutes } from './routes.ts';

/** Pictures of people and bots, uploaded or generated. */
export const avatars: Feature = {
  routes: avatarRoutes,
  exports: [
    {
      table: 'avatar_pictures',
      fields: ['user_id', 'picture', 'medium'],
    },
  ],
};
