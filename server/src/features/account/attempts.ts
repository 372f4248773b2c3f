import * as pages from '@heddle/api/endpoints/account-pages.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

/** Links of another organization: account.test.ts, which knows what is in the mails. */
export const accountAttempts: Attempts = ({ owner }) => {
  const key = 'a'.repeat(32);
  return [
    attemptsOn(pages.getResetPage, { contained: [{}] }),
    // Without the token that a page of theirs would have.
    attemptsOn(pages.requestReset, { refused: [{ email: owner.email }] }),
    attemptsOn(pages.getNewPasswordPage, { refused: [{ key }] }),
    attemptsOn(pages.setNewPassword, { refused: [{ key, password: 'shuttle over warp' }] }),
    attemptsOn(pages.getConfirmAddressPage, { refused: [{ key }] }),
    attemptsOn(pages.confirmAddress, { refused: [{ key }] }),
  ];
};
