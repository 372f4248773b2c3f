import type { Feature } from '../feature.ts';
import { organizationPictureAttempts } from './attempts.ts';
import { organizationPictureRoutes } from './routes.ts';

/** The organization's icon and logos. What clients are told of them is with its other settings. */
export const organizationPictures: Feature = {
  name: 'organization-pictures',
  routes: organizationPictureRoutes,
  attempts: organizationPictureAttempts,
};
