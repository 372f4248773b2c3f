import type { Feature } from '../../../extension/feature.ts';
import { organizationPictureRoutes } from './routes.ts';

/** The organization's icon and logos. Clients get their URLs with the other settings of the organization. */
export const organizationPictures: Feature = {
  routes: organizationPictureRoutes,
  exports: [
    {
      table: 'organization_pictures',
      fields: ['kind', 'picture'],
    },
  ],
};
