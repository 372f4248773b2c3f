/**
 * The service worker of the app. It keeps the files of one build and the start page, so that the app starts without a network. It never keeps
 * responses of the API or files of users: those are in the store of the account.
 */
import { fileFor, forgetOldBuilds, isFile, keepBuild } from './files.ts';
import { keepStartPage, START_PATH, startPage } from './start-page.ts';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', (event) => {
  event.waitUntil(keepBuild().then(() => keepStartPage().catch(() => undefined)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldBuilds().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== 'GET') return;
  const keep = (work: Promise<unknown>) => event.waitUntil(work);
  if (request.mode === 'navigate' && pathname === START_PATH) event.respondWith(startPage(request, keep));
  else if (isFile(request, pathname)) event.respondWith(fileFor(request, keep));
});
