import {
  developmentFetchApiKey,
  fetchApiKey,
  jwtFetchApiKey,
  regenerateApiKey,
} from '@heddle/api/endpoints/authentication.ts';
import * as pages from '@heddle/api/endpoints/login-pages.ts';
import * as sessions from '@heddle/api/endpoints/sessions.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

const destination = ['next', 'mobile_flow_otp', 'desktop_flow_otp'] as const;
const password = 'correct horse battery';

export const isolationProbes: IsolationProbes = async ({ owner }) => {
  const { invite_link: link } = await owner.ok('POST', '/invites/multiuse');
  const multiuse_object_key = String(link).split('/').at(-2);
  return [
    probesOf(fetchApiKey, { refused: [{ username: owner.email, password }] }),
    probesOf(developmentFetchApiKey, { refused: [{ username: owner.email }] }),
    probesOf(jwtFetchApiKey, { refused: [{ token: 'not one' }], harmless: ['include_profile'] }),
    probesOf(regenerateApiKey, { contained: [{}] }),
    probesOf(sessions.getSessions, { contained: [{}] }),
    // For a session of theirs see sessions.test.ts.
    probesOf(sessions.endSession, { refused: [{ session_id: '0'.repeat(16) }] }),
    probesOf(sessions.endOtherSessions, { contained: [{}] }),
    probesOf(pages.getLoginPage, { contained: [{ multiuse_object_key }], harmless: destination }),
    probesOf(pages.getAccountsLoginPage, { contained: [{ multiuse_object_key }], harmless: destination }),
    // Without the CSRF token of a page of theirs.
    probesOf(pages.logIn, {
      refused: [{ username: owner.email, password, multiuse_object_key }],
      harmless: destination,
    }),
    probesOf(pages.accountsLogIn, {
      refused: [{ username: owner.email, password, multiuse_object_key }],
      harmless: destination,
    }),
    probesOf(pages.getSessionsPage, { contained: [{}] }),
    probesOf(pages.logOut, { refused: [{}] }),
    probesOf(pages.logOutEverywhere, { refused: [{}] }),
    // The server has no provider here: see provider.test.ts.
    probesOf(pages.logInWithProvider, { refused: [{ multiuse_object_key }], harmless: destination }),
    probesOf(pages.signUpWithProvider, { refused: [{ multiuse_object_key }], harmless: destination }),
    probesOf(pages.completeProviderLogin, {
      refused: [{ state: 'x', code: 'x' }],
      harmless: ['iss', 'error', 'error_description'],
    }),
    // For a token of theirs see desktop-flow.test.ts.
    probesOf(pages.finishDesktopLogin, { refused: [{ token: '0'.repeat(32) }] }),
    probesOf(pages.pasteDesktopToken, {
      refused: [{ token: '00'.repeat(60), multiuse_object_key }],
      harmless: ['beginning'],
    }),
    probesOf(pages.chooseLanguage, { refused: [{ language: '../../de' }], harmless: ['next'] }),
    probesOf(pages.getPageStyle, { refused: [{ file: '../../secret' }] }),
  ];
};
