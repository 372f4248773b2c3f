import * as pages from '@heddle/api/endpoints/signup.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

/** `signing-up.test.ts` and `confirming.test.ts` try links from mails, because they read the mails. */
export const isolationProbes: IsolationProbes = async ({ owner }) => {
  const { invite_link } = await owner.ok('POST', '/invites/multiuse');
  const key = new URL(String(invite_link)).pathname.split('/')[2];
  const person = { full_name: 'Ann Other', email: 'ann@example.com', password: 'a loom of one’s own' };
  return [
    probesOf(pages.showReusableInvitation, { refused: [{ key }] }),
    probesOf(pages.acceptReusableInvitation, { refused: [{ key, ...person }] }),
    probesOf(pages.showInvitation, { refused: [{ key }] }),
    probesOf(pages.acceptInvitation, { refused: [{ key, ...person }] }),
    probesOf(pages.showRegistration, { refused: [{}] }),
    // Without the CSRF token that a page of the other organization has.
    probesOf(pages.requestRegistration, { refused: [{ email: 'ann@example.com' }] }),
  ];
};
