/**
 * The service worker of the app. It keeps the files of one build and the start page, so that the app starts without a network. It never keeps
 * responses of the API or files of users: those are in the store of the account. It shows what the server pushes. What other apps share stays
 * until the user has chosen a place.
 */
import { fileFor, forgetOldBuilds, isFile, keepBuild } from './files.ts';
import { leaveLater, leaveNow, leavingPage } from './leaving.ts';
import { inTurn, receive, showForApp } from './notifications.ts';
import { press } from './presses.ts';
import { SHARE_PATH, takeShared } from './sharing.ts';
import { isShowMessage } from './shown.ts';
import { forgetPages, keepStartPage, START_PATH, startPage } from './start-page.ts';
import { renew } from './subscription.ts';
import { announceTakeover, takeOver } from './takeover.ts';

declare const self: ServiceWorkerGlobalScope;

/** What the types of the library lack, and not all browsers have: rules for requests about which the browser does not ask the worker. */
interface RoutedInstallEvent extends ExtendableEvent {
  addRoutes?(rules: {
    readonly condition: { readonly urlPattern: { readonly pathname: string } };
    readonly source: 'network';
  }): Promise<void>;
}

self.addEventListener('install', (event: RoutedInstallEvent) => {
  // The polls of pages neither start this worker nor keep it busy. The next version can take over only from a worker without work.
  const routes = event.addRoutes?.({ condition: { urlPattern: { pathname: '/json/*' } }, source: 'network' });
  if (routes !== undefined) event.waitUntil(routes.catch(() => undefined));
  event.waitUntil(keepBuild().then(() => keepStartPage().catch(() => undefined)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    forgetOldBuilds()
      .then(() => self.clients.claim())
      .then(announceTakeover),
  );
});

/** The forms of the pages before the login. */
const LOGIN_PATH = /^\/(login|accounts)\//;

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  const keep = (work: Promise<unknown>) => event.waitUntil(work);
  const isNavigation = request.mode === 'navigate';
  // Another account may log in. It must not begin with the page of this one.
  if (request.method === 'POST' && isNavigation && LOGIN_PATH.test(pathname)) keep(forgetPages());
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

self.addEventListener('push', (event) => {
  // The server has encrypted it, so it is as documented.
  event.waitUntil(inTurn(() => receive(event.data?.json())));
});

self.addEventListener('message', (event) => {
  const { data, ports } = event;
  if (isShowMessage(data)) event.waitUntil(inTurn(() => showForApp(data)));
  else if (data?.kind === 'take-over') event.waitUntil(takeOver());
  else if (data?.kind === 'leave-later') event.waitUntil(leaveLater(data).then(() => ports[0]?.postMessage(true)));
  else if (data?.kind === 'leave-now') event.waitUntil(leaveNow().catch(() => undefined));
});

self.addEventListener('notificationclick', (event) => {
  event.waitUntil(press(event));
});

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event.newSubscription));
});

// Some browsers say so when the network is back. After an error they try again.
(self as EventTarget).addEventListener('sync', (event) => (event as ExtendableEvent).waitUntil(leaveNow()));
