import {
  developmentFetchApiKey,
  fetchApiKey,
  jwtFetchApiKey,
  regenerateApiKey,
} from '@heddle/api/endpoints/authentication.ts';
import * as pages from '@heddle/api/endpoints/login-pages.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

const destination = ['next', 'mobile_flow_otp', 'desktop_flow_otp'] as const;
const password = 'correct horse battery';

export const attempts: Attempts = async ({ owner }) => {
  const { invite_link: link } = await owner.ok('POST', '/invites/multiuse');
  const multiuse_object_key = String(link).split('/').at(-2);
  return [
    attemptsOn(fetchApiKey, { refused: [{ username: owner.email, password }] }),
    attemptsOn(developmentFetchApiKey, { refused: [{ username: owner.email }] }),
    attemptsOn(jwtFetchApiKey, { refused: [{ token: 'not one' }], harmless: ['include_profile'] }),
    attemptsOn(regenerateApiKey, { contained: [{}] }),
    attemptsOn(pages.getLoginPage, { contained: [{ multiuse_object_key }], harmless: destination }),
    attemptsOn(pages.getAccountsLoginPage, { contained: [{ multiuse_object_key }], harmless: destination }),
    // Without the CSRF token of a page of theirs.
    attemptsOn(pages.logIn, {
      refused: [{ username: owner.email, password, multiuse_object_key }],
      harmless: destination,
    }),
    attemptsOn(pages.accountsLogIn, {
      refused: [{ username: owner.email, password, multiuse_object_key }],
      harmless: destination,
    }),
    attemptsOn(pages.getSessionsPage, { contained: [{}] }),
    attemptsOn(pages.logOut, { refused: [{}] }),
    attemptsOn(pages.logOutEverywhere, { refused: [{}] }),
    // The server has no provider here: see provider.test.ts.
    attemptsOn(pages.logInWithProvider, { refused: [{ multiuse_object_key }], harmless: destination }),
    attemptsOn(pages.signUpWithProvider, { refused: [{ multiuse_object_key }], harmless: destination }),
    attemptsOn(pages.completeProviderLogin, {
      refused: [{ state: 'x', code: 'x' }],
      harmless: ['iss', 'error', 'error_description'],
    }),
    // For a token of theirs see desktop-flow.test.ts.
    attemptsOn(pages.finishDesktopLogin, { refused: [{ token: '0'.repeat(32) }] }),
    attemptsOn(pages.pasteDesktopToken, {
      refused: [{ token: '00'.repeat(60), multiuse_object_key }],
      harmless: ['beginning'],
    }),
    attemptsOn(pages.getPageStyle, { refused: [{ file: '../../secret' }] }),
  ];
};
