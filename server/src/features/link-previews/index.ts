import type { Feature } from '../../extension/feature.ts';
import { linkPreviewJobs } from './jobs.ts';
import { linkConsumer } from './reading.ts';

/** Previews of the websites to which messages link. They arrive by an event, after the message. */
export const linkPreviews: Feature = {
  consumers: (app) => [linkConsumer(app)],
  jobs: linkPreviewJobs,
};
