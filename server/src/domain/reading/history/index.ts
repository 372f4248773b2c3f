import { notExported } from '../../../extension/exports.ts';
import type { Feature } from '../../../extension/feature.ts';
import { indexingJobs } from './indexing.ts';
import { historyRoutes } from './routes.ts';

export const history: Feature = {
  routes: historyRoutes,
  jobs: indexingJobs,
  exports: notExported('an index of the messages', 'message_words', 'indexed_messages'),
};
