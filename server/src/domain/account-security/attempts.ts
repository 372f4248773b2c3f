import * as pages from '@heddle/api/endpoints/account-pages.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

/** `account.test.ts` tries links of another organization, because it reads the mails. */
export const attempts: Attempts = ({ owner }) => {
  const key = 'a'.repeat(32);
  return [
    attemptsOn(pages.getResetPage, { contained: [{}] }),
    // Without the CSRF token that a page of the other organization has.
    attemptsOn(pages.requestReset, { refused: [{ email: owner.email }] }),
    attemptsOn(pages.getNewPasswordPage, { refused: [{ key }] }),
    attemptsOn(pages.setNewPassword, { refused: [{ key, password: 'shuttle over warp' }] }),
    attemptsOn(pages.getConfirmAddressPage, { refused: [{ key }] }),
    attemptsOn(pages.confirmAddress, { refused: [{ key }] }),
  ];
};
