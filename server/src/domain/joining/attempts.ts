import * as pages from '@heddle/api/endpoints/signup.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

/** `signing-up.test.ts` and `confirming.test.ts` try links from mails, because they read the mails. */
export const attempts: Attempts = async ({ owner }) => {
  const { invite_link } = await owner.ok('POST', '/invites/multiuse');
  const key = new URL(String(invite_link)).pathname.split('/')[2];
  const person = { full_name: 'Ann Other', email: 'ann@example.com', password: 'a loom of one’s own' };
  return [
    attemptsOn(pages.showReusableInvitation, { refused: [{ key }] }),
    attemptsOn(pages.acceptReusableInvitation, { refused: [{ key, ...person }] }),
    attemptsOn(pages.showInvitation, { refused: [{ key }] }),
    attemptsOn(pages.acceptInvitation, { refused: [{ key, ...person }] }),
    attemptsOn(pages.showRegistration, { refused: [{}] }),
    // Without the CSRF token that a page of the other organization has.
    attemptsOn(pages.requestRegistration, { refused: [{ email: 'ann@example.com' }] }),
  ];
};
