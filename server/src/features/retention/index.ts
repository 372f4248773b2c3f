import type { Feature } from '../feature.ts';
import { retentionJobs } from './jobs.ts';

/** Deletes messages by their age. */
export const retention: Feature = {
  name: 'retention',
  jobs: retentionJobs,
};
