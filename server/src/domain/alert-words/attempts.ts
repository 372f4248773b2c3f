import * as endpoints from '@heddle/api/endpoints/alert-words.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, secret }) => {
  const words = [secret('alert word')];
  await owner.ok('POST', '/users/me/alert_words', { alert_words: words });
  return [
    attemptsOn(endpoints.getAlertWords, { contained: [{}] }),
    attemptsOn(endpoints.addAlertWords, { contained: [{ alert_words: ['loom'] }] }),
    attemptsOn(endpoints.removeAlertWords, { contained: [{ alert_words: ['loom'] }] }),
  ];
};
