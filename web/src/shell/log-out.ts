import { forgetMessageHtml } from '../feed/message-html.ts';
import type { App } from './app.tsx';
import { csrfToken, setResumableUntil } from './early.ts';

/** Entries of the local storage that belong to an account begin with this and its id. */
export function accountKey(userId: number, name: string): string {
  return `heddle-${userId}-${name}`;
}

/** Ends the session on the server and in all tabs, and removes everything of the account from this browser. */
export async function logOut({ model, session }: App): Promise<void> {
  const { ownId } = model;
  setResumableUntil(ownId, 0);
  await session.logOut();
  forgetMessageHtml();
  forgetLocal(ownId);
  const body = new URLSearchParams({ csrfmiddlewaretoken: csrfToken() });
  await fetch('/accounts/logout/', { method: 'POST', body, credentials: 'same-origin', redirect: 'manual' });
  window.location.replace('/login/');
}

function forgetLocal(userId: number): void {
  try {
    const prefix = accountKey(userId, '');
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to forget.
  }
}
