/**
 * What the app and its worker keep for each other about the account: a note for the worker, and replies that could not be sent. Both are in a
 * cache of its own, which the end of the login deletes.
 */
import type { Conversation, NotificationTexts } from './shown.ts';

const CACHE = 'heddle-account';
const NOTE_PATH = '/account';
const REPLIES_PATH = '/unsent-replies/';

export interface AccountNote {
  readonly userId: number;
  /** The name of the cookie with the token that each write must contain. */
  readonly csrfCookie: string;
  /** The token, for browsers whose workers cannot read cookies. */
  readonly csrfToken: string;
  /** What the browser needs if its push service wants another subscription. Undefined if the user is not notified by this browser. */
  readonly push?: { readonly serverKey: string; readonly showsText: boolean } | undefined;
  readonly texts: NotificationTexts;
}

/** A reply in a notification that the server did not take. */
export interface UnsentReply {
  readonly userId: number;
  readonly conversation: Conversation;
  readonly text: string;
}

/** Undefined before the first visit, and after a logout. */
export async function readNote(): Promise<AccountNote | undefined> {
  const kept = await caches.match(NOTE_PATH, { cacheName: CACHE });
  return kept === undefined ? undefined : ((await kept.json()) as AccountNote);
}

export async function writeNote(note: AccountNote): Promise<void> {
  await (await caches.open(CACHE)).put(NOTE_PATH, new Response(JSON.stringify(note)));
}

/** Deletes all of it. */
export async function forgetNotes(): Promise<void> {
  await caches.delete(CACHE);
}

/**
 * Keeps a reply while `send` runs, and afterwards if that has failed. Meanwhile nobody takes it. If the browser ends the worker, it stays.
 * @param send returns whether the server has the reply
 * @returns the name of a reply that stays, for `takeReply`
 */
export async function keepUntilSent(reply: UnsentReply, send: () => Promise<boolean>): Promise<string | undefined> {
  const path = REPLIES_PATH + crypto.randomUUID();
  return navigator.locks.request(path, async () => {
    await (await caches.open(CACHE)).put(path, new Response(JSON.stringify(reply)));
    if (!(await send())) return path;
    await (await caches.open(CACHE)).delete(path);
    return undefined;
  });
}

/** Removes a reply of the account. Only one caller gets it, of all tabs and the worker, and nobody while it is being sent. */
export async function takeReply(path: string, userId: number): Promise<UnsentReply | undefined> {
  return navigator.locks.request(path, { ifAvailable: true }, async (lock) => {
    const kept = lock === null ? undefined : await caches.match(path, { cacheName: CACHE });
    if (kept === undefined) return undefined;
    const reply = (await kept.json()) as UnsentReply;
    if (reply.userId !== userId) return undefined;
    return (await (await caches.open(CACHE)).delete(path)) ? reply : undefined;
  });
}

/** The names of all replies that the app has not taken. */
export async function keptReplies(): Promise<readonly string[]> {
  if (!(await caches.has(CACHE))) return [];
  const paths = (await (await caches.open(CACHE)).keys()).map(({ url }) => new URL(url).pathname);
  return paths.filter((path) => path.startsWith(REPLIES_PATH));
}
