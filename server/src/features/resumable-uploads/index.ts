import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { resumableUploadRoutes } from './routes.ts';

/** Uploads that continue after an interruption. */
export const resumableUploads: Feature = {
  routes: resumableUploadRoutes,
  exports: notExported('files that have not arrived completely', 'resumable_uploads'),
};
