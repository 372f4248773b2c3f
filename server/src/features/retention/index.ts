import type { Feature } from '../../extension/feature.ts';
import { retentionJobs } from './jobs.ts';

/** Deletes messages by their age. */
export const retention: Feature = {
  jobs: retentionJobs,
};
