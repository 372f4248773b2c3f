import type { AppContext } from '../../../extension/app-context.ts';
import { type Job, job } from '../../../jobs/kind.ts';
import { drawThumbnails } from '../../uploads/job-kinds.ts';
import { drawThumbnailsOf } from './thumbnails.ts';

/**
 * This job is here and not in `uploads`, because a new thumbnail changes the HTML of messages that link to the file.
 */
export function editingJobs(app: AppContext): readonly Job[] {
  return [
    job(drawThumbnails, async ({ organizationId, payload }) => {
      if (organizationId !== null) await drawThumbnailsOf(app, organizationId, payload.attachmentId);
    }),
  ];
}
