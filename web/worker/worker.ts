/**
 * The service worker of the app. It keeps the files of one build and the start page, so that the app starts without a network. It never keeps
 * responses of the API or files of users: those are in the store of the account. What other apps share stays until the user has chosen a place.
 */
import { fileFor, forgetOldBuilds, isFile, keepBuild } from './files.ts';
import { leaveLater, leaveNow, leavingPage } from './leaving.ts';
import { SHARE_PATH, takeShared } from './sharing.ts';
import { keepStartPage, START_PATH, startPage } from './start-page.ts';
import { announceTakeover, takeOver } from './takeover.ts';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', (event) => {
  event.waitUntil(keepBuild().then(() => keepStartPage().catch(() => undefined)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    forgetOldBuilds()
      .then(() => self.clients.claim())
      .then(announceTakeover),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  const keep = (work: Promise<unknown>) => event.waitUntil(work);
  const isNavigation = request.mode === 'navigate';
  if (request.method === 'POST' && pathname === SHARE_PATH) event.respondWith(takeShared(request));
  else if (request.method !== 'GET') return;
  else if (isNavigation && ENTRANCES.has(pathname)) event.respondWith(entrance(request, pathname, keep));
  else if (isFile(request, pathname)) event.respondWith(fileFor(request, keep));
});

/** The pages with which people begin. All others come from the server: it must see from where their requests come. */
const ENTRANCES: ReadonlySet<string> = new Set([START_PATH, '/login/', '/accounts/sessions/']);

async function entrance(request: Request, path: string, keep: (work: Promise<unknown>) => void): Promise<Response> {
  const leaving = await leavingPage();
  if (leaving !== undefined) return leaving;
  return path === START_PATH ? startPage(request, keep) : fetch(request);
}

self.addEventListener('message', (event) => {
  const { data, ports } = event;
  if (data?.kind === 'take-over') event.waitUntil(takeOver());
  if (data?.kind === 'leave-later') event.waitUntil(leaveLater(data).then(() => ports[0]?.postMessage(true)));
  if (data?.kind === 'leave-now') event.waitUntil(leaveNow().catch(() => undefined));
});

// Some browsers say so when the network is back. After an error they try again.
(self as EventTarget).addEventListener('sync', (event) => (event as ExtendableEvent).waitUntil(leaveNow()));
