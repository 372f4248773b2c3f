/**
 * The service worker of the app. It keeps the files of one build and the start page, so that the app starts without a network. It never keeps
 * responses of the API or files of users: those are in the store of the account. It shows what the server pushes.
 */
import { fileFor, forgetOldBuilds, isFile, keepBuild } from './files.ts';
import { inTurn, receive, showForApp } from './notifications.ts';
import { press } from './presses.ts';
import { isShowMessage } from './shown.ts';
import { forgetPages, keepStartPage, START_PATH, startPage } from './start-page.ts';
import { renew } from './subscription.ts';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', (event) => {
  event.waitUntil(keepBuild().then(() => keepStartPage().catch(() => undefined)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldBuilds().then(() => self.clients.claim()));
});

/** The forms of the pages before the login. */
const LOGIN_PATH = /^\/(login|accounts)\//;

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  const keep = (work: Promise<unknown>) => event.waitUntil(work);
  // Another account may log in. It must not begin with the page of this one.
  if (request.method === 'POST' && request.mode === 'navigate' && LOGIN_PATH.test(pathname)) keep(forgetPages());
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate' && pathname === START_PATH) event.respondWith(startPage(request, keep));
  else if (isFile(request, pathname)) event.respondWith(fileFor(request, keep));
});

self.addEventListener('push', (event) => {
  // The server has encrypted it, so it is as documented.
  event.waitUntil(inTurn(() => receive(event.data?.json())));
});

self.addEventListener('message', (event) => {
  const message: unknown = event.data;
  if (isShowMessage(message)) event.waitUntil(inTurn(() => showForApp(message)));
});

self.addEventListener('notificationclick', (event) => {
  event.waitUntil(press(event));
});

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event.newSubscription));
});
