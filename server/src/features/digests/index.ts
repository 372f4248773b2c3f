import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { digestMailing } from './composing.ts';
import { digestJob } from './queueing.ts';

/** The weekly mail about what happened, for users who were away. */
export const digests: Feature = {
  jobs: (app) => [digestJob(app)],
  mailings: (app) => [digestMailing(app)],
  exports: [...notExported('mails that this server must send', 'digests')],
};
