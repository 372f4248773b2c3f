/** Writes of the worker: with the cookies of the session, and the token that proves that a page or worker of ours writes. */
import type { AccountNote } from './account.ts';

declare const self: ServiceWorkerGlobalScope;

/** Resolves with whether the server has done it. */
export async function write(
  note: AccountNote,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<boolean> {
  try {
    const response = await fetch(`/json${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'X-CSRFToken': await csrfToken(note) },
      credentials: 'same-origin',
    });
    return response.ok;
  } catch {
    return false;
  }
}

/** The cookie is newer than the note, after another login. */
async function csrfToken({ csrfCookie, csrfToken: noted }: AccountNote): Promise<string> {
  const cookie = await (self.cookieStore as CookieStore | undefined)?.get(csrfCookie);
  return cookie?.value ?? noted;
}
