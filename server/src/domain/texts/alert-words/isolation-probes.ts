import * as endpoints from '@heddle/api/endpoints/alert-words.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, secret }) => {
  const words = [secret('alert word')];
  await owner.ok('POST', '/users/me/alert_words', { alert_words: words });
  return [
    probesOf(endpoints.getAlertWords, { contained: [{}] }),
    probesOf(endpoints.addAlertWords, { contained: [{ alert_words: ['loom'] }] }),
    probesOf(endpoints.removeAlertWords, { contained: [{ alert_words: ['loom'] }] }),
  ];
};
