import type { Feature } from '../../extension/feature.ts';
import { imagePreviewRoutes } from './routes.ts';

/** Images of other servers in messages. Readers get them from this server, so the other server learns nothing about its readers. */
export const imagePreviews: Feature = {
  routes: imagePreviewRoutes,
};
