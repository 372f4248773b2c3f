import type { Feature } from '../feature.ts';
import { resumableUploadAttempts } from './attempts.ts';
import { resumableUploadRoutes } from './routes.ts';

/** Uploads that go on where they were broken off. */
export const resumableUploads: Feature = {
  name: 'resumable-uploads',
  routes: resumableUploadRoutes,
  attempts: resumableUploadAttempts,
};
