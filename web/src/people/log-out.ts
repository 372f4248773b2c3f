import { forgetLocal, forgetWorker, sendTyped, untilEmptied } from '../base/account-storage.ts';
import type { App } from '../base/app.tsx';
import { csrfToken, setResumableUntil } from '../base/early.ts';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { forgetMessageHtml } from '../content/message-html.ts';

let isRunning = false;

/** Whether the user logs out in this tab. */
export function isLoggingOut(): boolean {
  return isRunning;
}

/** A server that takes longer is as good as none, in milliseconds. */
const SERVER_PATIENCE_MS = 10_000;

/**
 * Ends the session on the server, and then in all tabs, and removes everything of the account from this browser. Without a response of the
 * server, the session is still valid, and the service worker ends it later. Without a worker, the app goes on and says so, because the next
 * person at this browser would be logged in. If text would be lost, it asks first.
 */
export async function logOut(app: App, { losesText = false } = {}): Promise<void> {
  const { model, session } = app;
  if (!losesText && !(await sendTyped())) {
    toasts.show({
      text: t('Some text that you typed is only in this browser. Logging out deletes it.'),
      kind: 'error',
      action: { label: t('Log out anyway'), run: () => void logOut(app, { losesText: true }) },
      key: 'log-out',
    });
    return;
  }
  isRunning = true;
  if (!(await endSession()) && !(await endLater())) {
    isRunning = false;
    toasts.show({
      text: t('You are not logged out, because the server cannot be reached. Try again.'),
      kind: 'error',
      key: 'log-out',
    });
    return;
  }
  const { ownId } = model;
  setResumableUntil(ownId, 0);
  await untilEmptied(Promise.all([forgetWorker(), session.logOut({ deleteQueue: false })]));
  forgetMessageHtml();
  forgetLocal(ownId);
  window.location.replace('/login/');
}

/** Returns whether the server has ended the session, or knows none any more. */
async function endSession(): Promise<boolean> {
  const body = new URLSearchParams({ csrfmiddlewaretoken: csrfToken() });
  try {
    const response = await fetch('/accounts/logout/', {
      method: 'POST',
      body,
      credentials: 'same-origin',
      redirect: 'manual',
      signal: AbortSignal.timeout(SERVER_PATIENCE_MS),
    });
    return response.type === 'opaqueredirect' || response.status === 401 || response.status === 403;
  } catch {
    return false;
  }
}

/** Returns whether the worker will end the session. */
async function endLater(): Promise<boolean> {
  try {
    return await (await import('./leave-later.ts')).leaveLater();
  } catch {
    return false;
  }
}
