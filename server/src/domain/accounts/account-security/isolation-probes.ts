import * as pages from '@heddle/api/endpoints/account-pages.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

/** `account.test.ts` tries links of another organization, because it reads the mails. */
export const isolationProbes: IsolationProbes = ({ owner }) => {
  const key = 'a'.repeat(32);
  return [
    probesOf(pages.getResetPage, { contained: [{}] }),
    // Without the CSRF token that a page of the other organization has.
    probesOf(pages.requestReset, { refused: [{ email: owner.email }] }),
    probesOf(pages.getNewPasswordPage, { refused: [{ key }] }),
    probesOf(pages.setNewPassword, { refused: [{ key, password: 'shuttle over warp' }] }),
    probesOf(pages.getConfirmAddressPage, { refused: [{ key }] }),
    probesOf(pages.confirmAddress, { refused: [{ key }] }),
  ];
};
