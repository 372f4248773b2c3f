/** A logout without a server: everything of the account goes at once, and the service worker ends the session later (`web/worker/leaving.ts`). */
import { csrfToken } from '../base/early.ts';
import { t } from '../base/i18n.ts';

/** A worker that does not answer within this time is one of an earlier version, in milliseconds. */
const ANSWER_TIMEOUT_MS = 3_000;

/** Resolves with whether the worker will end the session. Until then it does not open the app, because the next person would be logged in. */
export async function leaveLater(): Promise<boolean> {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => resolve(data === true);
  setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS);
  const note = {
    kind: 'leave-later',
    token: csrfToken(),
    language: document.documentElement.lang,
    title: t('You are logged out'),
    text: t('Nothing of your account is left in this browser. The session ends as soon as the server can be reached.'),
  };
  worker.postMessage(note, [port2]);
  return promise;
}
