/** What this browser keeps of an account: its entries of the local storage, and what a logout must save before it deletes them. */

/** Entries of the local storage that belong to an account begin with this and its id. */
export function accountKey(userId: number, name: string): string {
  return `heddle-${userId}-${name}`;
}

/** What the account chose for this browser. It outlives the login, and has nothing that the user read or typed. */
export function choiceKey(userId: number, name: string): string {
  return `heddle-choice-${userId}-${name}`;
}

/** The beginnings of the names of entries with text that the user typed. */
export const DRAFT_ENTRY = 'draft-';
export const EDIT_ENTRY = 'edit-';

/** Whether this page has deleted the entries of the account. Nothing may be written after that. */
let isForgotten = false;

/** Whether nothing of the account may be shown or stored any more. */
export function isAccountForgotten(): boolean {
  return isForgotten;
}

/** Stores an entry; `undefined` deletes it. Without storage, or with a full one, the content lives as long as the page. */
export function writeLocal(key: string, value: string | undefined): void {
  if (isForgotten) return;
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The page has what it needs.
  }
}

/** The entries with text that the user typed. */
export function typedEntries(userId: number): readonly (readonly [string, string])[] {
  const prefixes = [DRAFT_ENTRY, EDIT_ENTRY].map((kind) => accountKey(userId, kind));
  try {
    return Object.entries<string>(localStorage).filter(([key]) => prefixes.some((prefix) => key.startsWith(prefix)));
  } catch {
    return [];
  }
}

/** Removes all entries of an account, or only those without text that the user typed. The page must end then. */
export function forgetLocal(userId: number, { keepsTyped = false } = {}): void {
  isForgotten = true;
  // The icon of the installed app must not count messages of an account that is gone.
  navigator.clearAppBadge?.().catch(() => undefined);
  try {
    const typed = new Set(keepsTyped ? typedEntries(userId).map(([key]) => key) : []);
    const prefix = accountKey(userId, '');
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix) && !typed.has(key)) localStorage.removeItem(key);
    }
  } catch {
    // Without storage there is nothing to forget.
  }
}

/** The worker still has to end the session (`web/worker/leaving.ts`). */
const LEAVING_CACHE = 'heddle-leaving';

/**
 * Removes the service worker with its notifications and its subscription, and what it keeps: the start page and the files of the app. A worker
 * that has to end the session stays until then.
 */
export async function forgetWorker(): Promise<void> {
  // Browsers have neither on a page without encryption.
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  const names = (await globalThis.caches?.keys()) ?? [];
  const isLeaving = names.includes(LEAVING_CACHE);
  const deleted = names.filter((name) => name !== LEAVING_CACHE);
  await Promise.all([
    ...registrations.map((one) => forgetRegistration(one, isLeaving)),
    ...deleted.map((name) => caches.delete(name)),
  ]);
}

async function forgetRegistration(one: ServiceWorkerRegistration, staysItself: boolean): Promise<void> {
  const close = async () => {
    for (const shown of await one.getNotifications()) shown.close();
  };
  const unsubscribe = async () => (await one.pushManager?.getSubscription())?.unsubscribe();
  // The browser ends the subscription with the worker, also if the push service cannot be reached.
  await Promise.allSettled([close(), unsubscribe(), ...(staysItself ? [] : [one.unregister()])]);
}

/** A browser that has not emptied its storage within this time may never say so. The server has asked it to empty it as well. */
const EMPTYING_TIMEOUT_MS = 3_000;

/** Resolves when `emptying` has ended, in any way, or takes too long. The page must end then. */
export async function untilEmptied(emptying: Promise<unknown>): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, EMPTYING_TIMEOUT_MS));
  await Promise.race([emptying.catch(() => undefined), late]);
}

/** What has text that the user typed. */
export interface TypedText {
  /** Writes it into the local storage. */
  keep?(): void;
  /** Sends it to the server. Resolves with whether the server has all of it. */
  send(): Promise<boolean>;
}

const typed: TypedText[] = [];

/** Registers what the end of the login would delete. */
export function onLogOut(text: TypedText): void {
  typed.push(text);
}

/** Writes everything that is registered into the local storage. */
export function keepTyped(): void {
  for (const text of typed) text.keep?.();
}

/** Sends everything that is registered to the server. Resolves with whether the server has all of it. */
export async function sendTyped(): Promise<boolean> {
  keepTyped();
  const sent = await Promise.all(typed.map((text) => text.send()));
  return !sent.includes(false);
}
