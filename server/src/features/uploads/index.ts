import type { Feature } from '../feature.ts';
import { uploadAttempts } from './attempts.ts';
import { attachmentPresenter } from './events.ts';
import { uploadJobs } from './jobs.ts';
import { uploadRoutes } from './routes.ts';

/** Files that users upload, and who may open them. */
export const uploads: Feature = {
  name: 'uploads',
  routes: uploadRoutes,
  presenters: { attachment: attachmentPresenter },
  jobs: uploadJobs,
  attempts: uploadAttempts,
};
