import * as endpoints from '@heddle/api/endpoints/unsubscribe-pages.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

/** `unsubscribing.test.ts` tries a link of another organization, because it reads the mails. */
export const isolationProbes: IsolationProbes = ({ owner }) => {
  const link = { email_type: 'missed_messages', key: `${owner.userId}-${'a'.repeat(32)}` } as const;
  return [
    probesOf(endpoints.getUnsubscribePage, { refused: [link] }),
    probesOf(endpoints.unsubscribeAtOnce, { refused: [link] }),
    probesOf(endpoints.unsubscribeOnPage, { refused: [link] }),
  ];
};
