/** The start page of the app: from the server, and without one as the server has sent it last. */
import { hasAll } from './build.ts';
import { CACHE_PREFIX, OWN_CACHE } from './files.ts';
import { forgetOthers } from './forgetting.ts';
import { isLeaving } from './leaving.ts';
import { forgetShared } from './shared-cache.ts';

/** The path of the page, which is also its key in the cache. */
export const START_PATH = '/';

/** A server that takes longer is as good as none, if the page is kept, in milliseconds. */
const SERVER_PATIENCE_MS = 3_000;

/** The smallest status that says nothing about the login: the server starts again, or a proxy does not reach it. */
const FAILED_STATUS_CODE = 500;

/** As on the server: its text has no padding. */
const NONCE_SIZE_BYTES = 18;

const BY_PATH = { ignoreVary: true, ignoreSearch: true } as const;

/** Answers a navigation to the page. */
export async function startPage(request: Request, keep: (work: Promise<unknown>) => void): Promise<Response> {
  const fromServer = fetch(request).then((response) => {
    keep(note(response.clone()));
    return response;
  });
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, SERVER_PATIENCE_MS));
  const response = await Promise.race([fromServer.catch(() => undefined), late]);
  if (response !== undefined && response.status < FAILED_STATUS_CODE) return response;
  // The response can still come, and is noted then.
  keep(fromServer.catch(() => undefined));
  return (await keptPage()) ?? fromServer;
}

/** Requests the page, so that a later start needs no server. */
export async function keepStartPage(): Promise<void> {
  await note(await fetch(START_PATH, { redirect: 'manual' }));
}

/** Keeps the page of a user. A response for nobody means that the login has ended: then no page of the account stays. */
async function note(response: Response): Promise<void> {
  const isPage = response.status === 200 && response.headers.get('content-type')?.startsWith('text/html') === true;
  if (response.type !== 'opaqueredirect' && !isPage) return;
  const html = isPage ? await response.text() : '';
  const user = userIn(html);
  await forgetOthers(user === undefined ? undefined : Number(user));
  const kept = await lastPage();
  if (kept !== undefined && (user === undefined || userIn(await kept.text()) !== user)) await forgetPages();
  // A page of another build comes with the worker of that build. After a logout there is no cache.
  if (user === undefined || !hasAll(filesIn(html)) || !(await caches.has(OWN_CACHE)) || (await isLeaving())) return;
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
  await (await caches.open(OWN_CACHE)).put(START_PATH, new Response(html, { headers }));
}

/** The page that was kept last: of this build, or of the one before, whose files are still there. */
async function lastPage(): Promise<Response | undefined> {
  return (await caches.match(START_PATH, { ...BY_PATH, cacheName: OWN_CACHE })) ?? caches.match(START_PATH, BY_PATH);
}

/** Whether a page of an account is kept. Without one, nobody has logged in here, or the login has ended. */
export async function hasAccount(): Promise<boolean> {
  return (await lastPage()) !== undefined;
}

/** Removes the page that is kept, and what its account shared and did not send. */
export async function forgetPages(): Promise<void> {
  await forgetShared();
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX));
  await Promise.all(names.map(async (name) => (await caches.open(name)).delete(START_PATH)));
}

/** The id in the data of the page. Undefined for a spectator, and for other pages. */
function userIn(html: string): string | undefined {
  return /<script type="application\/json" id="start">\{"userId":(\d+),/.exec(html)?.[1];
}

/** The paths of the scripts and styles that the page names. */
function filesIn(html: string): readonly string[] {
  return [...html.matchAll(/(?:src|href)="(\/static\/app\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
}

/** The page with a nonce that no other response had. */
async function keptPage(): Promise<Response | undefined> {
  const kept = await lastPage();
  if (kept === undefined) return undefined;
  const policy = kept.headers.get('content-security-policy') ?? '';
  const [, old] = /'nonce-([^']+)'/.exec(policy) ?? [];
  if (old === undefined) return undefined;
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(NONCE_SIZE_BYTES))));
  const headers = new Headers(kept.headers);
  headers.set('content-security-policy', policy.replaceAll(old, nonce));
  return new Response((await kept.text()).replaceAll(old, nonce), { headers });
}
