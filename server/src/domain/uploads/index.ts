import type { Feature } from '../../extension/feature.ts';
import { attachmentPresenter } from './events.ts';
import { uploadsExports } from './exports.ts';
import { uploadJobs } from './jobs.ts';
import { uploadRoutes } from './routes.ts';

/** Uploaded files, and who can open them. */
export const uploads: Feature = {
  routes: uploadRoutes,
  presenters: { attachment: attachmentPresenter },
  jobs: uploadJobs,
  exports: uploadsExports,
};
