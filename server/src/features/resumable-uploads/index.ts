import type { Feature } from '../../extension/feature.ts';
import { resumableUploadRoutes } from './routes.ts';

/** Uploads that continue after an interruption. */
export const resumableUploads: Feature = {
  routes: resumableUploadRoutes,
};
