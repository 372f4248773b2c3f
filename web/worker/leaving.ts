/**
 * A logout without a server. The page has deleted everything of the account, and this worker ends the session as soon as it reaches the server.
 * Until then the app does not open in this browser: the next person would be logged in.
 */
declare const self: ServiceWorkerGlobalScope;

/** It stays when the app forgets all others (`web/src/base/account-storage.ts`). */
const CACHE = 'heddle-leaving';
const KEY = '/leaving';

/** For the event `sync`, with which some browsers say that the network is back. */
const TAG = 'leave';

const NONCE_SIZE_BYTES = 18;

/** What the page says (`web/src/people/leave-later.ts`). */
interface Leaving {
  /** The token that the request must contain. */
  readonly token: string;
  readonly language: string;
  readonly title: string;
  readonly text: string;
}

export async function leaveLater({ token, language, title, text }: Leaving): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.put(KEY, Response.json({ token, language, title, text }));
  const { sync } = self.registration as { readonly sync?: { register(tag: string): Promise<void> } };
  // Other browsers try again while a page is open, and when one opens.
  await sync?.register(TAG).catch(() => undefined);
}

let running: Promise<void> | undefined;

/**
 * Ends the session, if one waits for it. The response makes browsers delete this worker, too, if they know its header. Pages and the browser ask
 * for it again and again, but there is one request at a time: a late one could end the next login.
 * @throws Error if the server cannot be reached
 */
export function leaveNow(): Promise<void> {
  running ??= leave().finally(() => {
    running = undefined;
  });
  return running;
}

async function leave(): Promise<void> {
  const leaving = await read();
  if (leaving === undefined) return;
  const response = await fetch('/accounts/logout/', {
    method: 'POST',
    body: new URLSearchParams({ csrfmiddlewaretoken: leaving.token }),
    credentials: 'same-origin',
    redirect: 'manual',
  });
  // Without a login, or with another one, the server refuses it.
  const hasEnded = response.type === 'opaqueredirect' || response.status === 401 || response.status === 403;
  if (!hasEnded) throw new Error(`the server has not ended the session: status ${response.status}`);
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  await self.registration.unregister();
  for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage({ kind: 'left' });
}

/** The page that stands for the app and the login. Undefined if no session waits for its end. */
export async function leavingPage(): Promise<Response | undefined> {
  const leaving = await read();
  if (leaving === undefined) return undefined;
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(NONCE_SIZE_BYTES))));
  const [language, title, text] = [leaving.language, leaving.title, leaving.text].map(escaped);
  const html = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style nonce="${nonce}">body { max-width: 32rem; margin: 20vh auto; padding: 0 1rem; font: 1rem/1.5 system-ui; text-align: center }</style>
<main><h1>${title}</h1><p>${text}</p></main>
<script nonce="${nonce}">${SCRIPT}</script>
</html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`,
  };
  return new Response(html, { headers });
}

/** Asks this worker again and again, and goes to the login when it has ended the session. */
const SCRIPT = `
const workers = navigator.serviceWorker;
const go = () => location.replace('/login/');
const ask = async () => {
  const registration = await workers.getRegistration();
  if (registration === undefined) go();
  else registration.active?.postMessage({ kind: 'leave-now' });
};
workers.onmessage = ({ data }) => { if (data.kind === 'left') go(); };
addEventListener('online', ask);
setInterval(ask, 5000);
ask();
`;

export function isLeaving(): Promise<boolean> {
  return caches.has(CACHE);
}

async function read(): Promise<Leaving | undefined> {
  const kept = await caches.match(KEY, { cacheName: CACHE });
  return kept === undefined ? undefined : ((await kept.json()) as Leaving);
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
