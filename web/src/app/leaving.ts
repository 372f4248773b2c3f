import type { SessionStore } from '@heddle/client/session/store.ts';
import { forgetLocal, forgetWorker, keepTyped, typedEntries, writeLocal } from '../base/account-storage.ts';
import { setResumableUntil } from '../base/early.ts';
import { canSeal, sealTexts, unsealTexts } from '../base/sealed-texts.ts';
import { forgetMessageHtml } from '../content/message-html.ts';
import { loginAddress } from '../shown/login-link.tsx';

/**
 * The login has ended elsewhere, maybe because other people can use this browser. Removes everything of the account from the browser. What the
 * user typed and the server does not have stays encrypted. A page that cannot encrypt leaves it as it is.
 */
export async function leaveAccount(userId: number, store: SessionStore): Promise<void> {
  keepTyped();
  forgetMessageHtml();
  setResumableUntil(userId, 0);
  const forgetting = forgetWorker().catch(() => undefined);
  try {
    if (!canSeal()) {
      forgetLocal(userId, { keepsTyped: true });
      await store.clearReceived();
      return;
    }
    const local = typedEntries(userId);
    forgetLocal(userId);
    // Another tab may have deleted the store already.
    const kept = await store.loadKept().catch(() => new Map<string, unknown>());
    try {
      await sealTexts(userId, { local, kept: [...kept] });
    } finally {
      await store.clear();
    }
  } catch {
    // Without storage there is nothing to remove.
  } finally {
    await forgetting;
  }
}

/** How long a page without a login shows what its user has just sent, in milliseconds. */
const SHOWN_UNSENT_MS = 120_000;

/**
 * Resolves when the user looks elsewhere, or after some time. Until then it is the same person who has written what the page shows. A page
 * that is hidden or has no focus resolves at once.
 */
export function untilLeft(): Promise<void> {
  if (document.visibilityState === 'hidden' || !document.hasFocus()) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  window.addEventListener('blur', () => resolve(), { once: true });
  document.addEventListener('visibilitychange', () => resolve(), { once: true });
  setTimeout(resolve, SHOWN_UNSENT_MS);
  return promise;
}

/**
 * Opens the login page, which leads back to this view. The tabs of a browser do so one after the other. The first one gets the cookie for the
 * form, and the others keep it.
 */
export async function logInInTurn(): Promise<void> {
  const open = () => window.location.replace(loginAddress());
  if (navigator.locks === undefined) open();
  // The page holds the lock until the next one has replaced it.
  else
    await navigator.locks.request('heddle-login', () => {
      open();
      return new Promise<void>(() => undefined);
    });
}

/** Takes back what the user had typed when an earlier login of the account ended. */
export async function returnToAccount(userId: number, store: SessionStore): Promise<void> {
  try {
    await unsealTexts(userId, async ({ local, kept }) => {
      for (const [key, value] of local) writeLocal(key, value);
      for (const [key, value] of kept) await store.keep(key, value);
    });
  } catch {
    // Without storage there is nothing to take back.
  }
}
